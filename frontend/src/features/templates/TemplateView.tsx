import { chakra } from '@chakra-ui/react';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CancelButton, Dialog } from '@/components/Dialog';
import { foreignParts, shownTemplate } from './foreign';
import { PhonePreview } from './PhonePreview';
import type { Template } from './types';

const MANAGER = 'https://business.facebook.com/latest/whatsapp_manager/message_templates';

interface TemplateViewProps {
  template: Template;
  onClose: () => void;
}

/**
 * A template that cannot be edited here: its preview, its special parts, and a link to Meta's
 * editor.
 */
export function TemplateView({ template, onClose }: TemplateViewProps) {
  const { t } = useTranslation(['templatesPage', 'templates', 'common']);
  const { rejectedReason } = template;
  const parts = foreignParts(template);
  return (
    <Dialog
      open
      onClose={onClose}
      size="md"
      title={template.name}
      footer={<CancelButton>{t('common:actions.close')}</CancelButton>}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        {rejectedReason && (
          <chakra.p textStyle="sm" color="status.danger.fg">
            {t(`rejected.${rejectedReason}`, { defaultValue: rejectedReason })}
          </chakra.p>
        )}
        <PhonePreview
          template={shownTemplate(template, {
            code: t('buttons.codeLabel'),
            location: t('foreign.LOCATION'),
          })}
        />
        {parts.length > 0 && (
          <chakra.div textStyle="sm" color="fg.muted">
            {t('foreign.text')}
            <chakra.ul listStyleType="disc" ps="5" mt="1">
              {parts.map((part) => (
                <li key={part}>{t(`foreign.${part}`, { defaultValue: part })}</li>
              ))}
            </chakra.ul>
          </chakra.div>
        )}
        <chakra.a
          href={MANAGER}
          target="_blank"
          rel="noopener noreferrer"
          display="inline-flex"
          alignItems="center"
          alignSelf="flex-start"
          gap="1.5"
          textStyle="sm"
          color="brand.fg"
          textDecoration="underline"
        >
          {t('templates:empty.link')}
          <ExternalLink size={14} aria-hidden />
        </chakra.a>
      </chakra.div>
    </Dialog>
  );
}
