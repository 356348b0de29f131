import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';

interface RecoveryCodeListProps {
  codes: string[];
  onKept: () => void;
}

/** The recovery codes; they are shown only once. */
export function RecoveryCodeList({ codes, onKept }: RecoveryCodeListProps) {
  const { t } = useTranslation('security');
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.div role="status">
        <chakra.p fontWeight="semibold">{t('codes.title')}</chakra.p>
        <chakra.p mt="1" textStyle="sm" color="fg.muted">
          {t('codes.text')}
        </chakra.p>
      </chakra.div>
      <CopyLine block text={codes.join('\n')} label={t('codes.copy')} />
      <Button alignSelf="flex-end" autoFocus onClick={onKept}>
        {t('codes.kept')}
      </Button>
    </chakra.div>
  );
}
