import { chakra } from '@chakra-ui/react';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { EmptyState } from './States';

/** Shown if a page fails to render or its script fails to load, e.g. after a new version. */
export function CrashPage() {
  const { t } = useTranslation();
  return (
    <chakra.div role="alert" display="flex" h="full">
      <EmptyState
        icon={<TriangleAlert size={20} />}
        title={t('crash.title')}
        text={t('crash.text')}
        action={
          <Button icon={<RotateCw size={16} />} onClick={() => window.location.reload()}>
            {t('crash.action')}
          </Button>
        }
      />
    </chakra.div>
  );
}
