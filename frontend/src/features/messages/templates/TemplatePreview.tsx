import { useTranslation } from 'react-i18next';
import { TemplateCard } from '@/components/TemplateCard';
import type { ShownTemplate } from '@/lib/templates/shown';
import { ComposePreview } from '../ComposeDialog';
import { Marked } from '../content/Text';

/** The template as a bubble, while it is being filled in. */
export function TemplatePreview({ template }: { template: ShownTemplate }) {
  const { t } = useTranslation('templates');
  return (
    <ComposePreview label={t('preview')}>
      <TemplateCard template={template} words={(text) => <Marked text={text} />} />
    </ComposePreview>
  );
}
