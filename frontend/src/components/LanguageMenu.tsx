import { ChevronDown, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n';
import { Button } from './Button';
import { Menu, type MenuEntry } from './Menu';

/** One entry a language, for any menu. */
export function languageEntries(): MenuEntry[] {
  return (Object.entries(LANGUAGES) as [Language, string][]).map(([id, label]) => ({
    id: `language-${id}`,
    label,
    checked: currentLanguage() === id,
    onSelect: () => void chooseLanguage(id),
  }));
}

/** The chooser at the foot of the login page. */
export function LanguageMenu() {
  const { t } = useTranslation();
  return (
    <Menu
      placement="top-start"
      groups={[{ entries: languageEntries() }]}
      trigger={
        <Button
          variant="ghost"
          size="sm"
          fontWeight="normal"
          px="1.5"
          ms="-1.5"
          aria-label={`${t('language')}: ${LANGUAGES[currentLanguage()]}`}
          icon={<Languages size={16} />}
        >
          {LANGUAGES[currentLanguage()]}
          <ChevronDown size={16} />
        </Button>
      }
    />
  );
}
