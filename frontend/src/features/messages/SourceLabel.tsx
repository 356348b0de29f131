import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { SOURCE_ICONS, type AutomaticSource } from './sources';

/** Labels the bubble of a message that the bot, an integration, the AI, … wrote. */
export function SourceLabel({ source, inset }: { source: AutomaticSource; inset: boolean }) {
  const { t } = useTranslation('messages');
  const Icon = SOURCE_ICONS[source];
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="1"
      px={inset ? '2' : '0'}
      textStyle="xs"
      fontWeight="medium"
      color="bubble.out.meta"
      data-source={source}
    >
      <Icon size={14} aria-hidden />
      {t(`sources.${source}`)}
    </chakra.div>
  );
}
