import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { TypebotMenu } from './api';

type Options = TypebotMenu['options'];

/** The draft as an outline: the greeting and each option with its message. */
export function MenuOutline({ menu }: { menu: TypebotMenu }) {
  const { t } = useTranslation('typebot');
  return (
    <chakra.section aria-label={t('preview')}>
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="2">
        {t('preview')}
      </chakra.h3>
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface" px="4" py="3">
        {menu.greetingMessage && (
          <chakra.p textStyle="sm" color="fg.muted" whiteSpace="pre-wrap" mb="2">
            {menu.greetingMessage}
          </chakra.p>
        )}
        <Level options={menu.options} />
      </chakra.div>
    </chakra.section>
  );
}

function Level({ options }: { options: Options }) {
  const { t } = useTranslation('typebot');
  return (
    <chakra.ol ps="6" listStyleType="decimal" textStyle="sm">
      {options.map((option, index) => (
        <chakra.li key={index} ps="1" py="0.5">
          <chakra.span fontWeight="medium">{option.title}</chakra.span>
          {option.asks && (
            <chakra.span color="fg.muted">
              {' · '}
              {t('asks', { kind: t(`kinds.${option.asks}`) })}
            </chakra.span>
          )}
          {option.message && (
            <chakra.span display="block" color="fg.muted" lineClamp="2" overflowWrap="anywhere">
              {option.message}
            </chakra.span>
          )}
          {option.children.length > 0 && <Level options={option.children} />}
        </chakra.li>
      ))}
    </chakra.ol>
  );
}
