import { chakra } from '@chakra-ui/react';
import EmojiPicker, { type EmojiData, type PickerLabels } from 'emoji-picker-react';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, type Language } from '@/i18n';
import { useUi } from '@/stores/ui';

const DATA: Record<Language, () => Promise<{ default: EmojiData }>> = {
  pt: () => import('emoji-picker-react/data/emojis-pt'),
  en: () => import('emoji-picker-react/data/emojis-en'),
  es: () => import('emoji-picker-react/data/emojis-es'),
};

const loaded = new Map<Language, Promise<{ default: EmojiData }>>();

/** One cached promise for each language, because `use` needs a stable promise. */
function dataOf(language: Language): Promise<{ default: EmojiData }> {
  const data = loaded.get(language) ?? DATA[language]();
  loaded.set(language, data);
  return data;
}

/** The emoji picker in the application's language; loaded when it is first opened. */
export default function EmojiPanel({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation();
  const colourMode = useUi((ui) => ui.colourMode);
  const { default: emojiData } = use(dataOf(currentLanguage()));
  const labels: Partial<PickerLabels> = {
    searchPlaceholder: t('emoji.search'),
    searchLabel: t('emoji.search'),
    searchClear: t('emoji.clear'),
    searchResultsNone: t('emoji.none'),
    searchResultsOne: t('emoji.one'),
    searchResultsMany: t('emoji.many'),
    categoryNavigation: t('emoji.categories'),
    loading: t('emoji.loading'),
  };
  return (
    // Reaches to the popover's edge and uses the theme's colours.
    <chakra.div
      m="-4"
      css={{
        '& .EmojiPickerReact': {
          '--epr-bg-color': 'transparent',
          '--epr-picker-border-color': 'transparent',
          '--epr-category-label-bg-color': '{colors.bg.raised}',
          '--epr-category-label-text-color': '{colors.fg.muted}',
          '--epr-highlight-color': '{colors.brand.fg}',
          '--epr-hover-bg-color': '{colors.bg.subtle}',
          '--epr-focus-bg-color': '{colors.bg.subtle}',
          '--epr-search-input-bg-color': '{colors.bg.subtle}',
          '--epr-search-input-bg-color-active': '{colors.bg.surface}',
          '--epr-search-border-color': '{colors.brand.fg}',
          '--epr-text-color': '{colors.fg.default}',
          '--epr-search-input-placeholder-color': '{colors.fg.subtle}',
          '--epr-category-icon-active-color': '{colors.brand.fg}',
          '--epr-emoji-size': '24px',
          '--epr-category-navigation-button-size': '24px',
          '--epr-category-label-height': '32px',
          fontFamily: 'inherit',
        },
        '& .EmojiPickerReact *': { fontFamily: 'inherit', textTransform: 'none' },
      }}
    >
      <EmojiPicker
        emojiData={emojiData}
        labels={labels}
        emojiStyle="native"
        colorScheme={colourMode}
        width="100%"
        height={360}
        previewConfig={{ showPreview: false }}
        skinTonesDisabled
        onEmojiClick={({ emoji }) => onPick(emoji)}
      />
    </chakra.div>
  );
}
