import { chakra } from '@chakra-ui/react';
import { ChevronDown, Languages } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n';

/** The language select at the foot of the login page; a native select keeps that page small. */
export function LanguageSelect() {
  const { t } = useTranslation();
  return (
    <chakra.span position="relative" display="inline-flex" alignItems="center">
      <chakra.span position="absolute" insetStart="0" pointerEvents="none">
        <Languages size={16} aria-hidden />
      </chakra.span>
      <chakra.select
        aria-label={t('language')}
        h="8"
        ps="6"
        pe="6"
        appearance="none"
        bg="bg.surface"
        borderRadius="sm"
        cursor="pointer"
        _hover={{ color: 'fg.default' }}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
        value={currentLanguage()}
        onChange={(event) => void chooseLanguage(event.target.value as Language)}
      >
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </chakra.select>
      <chakra.span position="absolute" insetEnd="0" pointerEvents="none">
        <ChevronDown size={16} aria-hidden />
      </chakra.span>
    </chakra.span>
  );
}
