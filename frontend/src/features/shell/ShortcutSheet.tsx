import { chakra } from '@chakra-ui/react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';

const isApple = /Mac|iP/.test(navigator.userAgent);
const CTRL = isApple ? '⌘' : 'Ctrl';
const ALT = isApple ? '⌥' : 'Alt';

/** A shortcut's keys: alternatives, each of keys that are pressed together. */
const GROUPS: { name: string; shortcuts: { text: string; keys: string[] }[] }[] = [
  {
    name: 'anywhere',
    shortcuts: [
      { text: 'palette', keys: [`${CTRL} K`] },
      { text: 'help', keys: ['?'] },
      { text: 'submit', keys: [`${CTRL} Enter`] },
    ],
  },
  {
    name: 'conversation',
    shortcuts: [
      { text: 'toList', keys: ['Esc'] },
      { text: 'next', keys: [`${ALT} ↓`, `${ALT} ↑`] },
      { text: 'acceptOpen', keys: ['A'] },
      { text: 'editLast', keys: ['↑'] },
      { text: 'sendResolve', keys: [`${CTRL} Enter`] },
      { text: 'note', keys: ['N'] },
      { text: 'saveNote', keys: [`${ALT} Enter`] },
    ],
  },
  {
    name: 'lists',
    shortcuts: [
      { text: 'search', keys: ['/'] },
      { text: 'newTicket', keys: ['N'] },
      { text: 'move', keys: ['↓', '↑', 'J', 'K'] },
      { text: 'ends', keys: ['Home', 'End'] },
      { text: 'enter', keys: ['Enter'] },
      { text: 'accept', keys: ['A'] },
      { text: 'transfer', keys: ['T'] },
      { text: 'return', keys: ['R'] },
      { text: 'priority', keys: ['1', '2', '3', '4'] },
      { text: 'resolve', keys: [`${CTRL} Enter`] },
    ],
  },
];

/** The list of keyboard shortcuts, opened with '?'. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('inbox');
  return (
    <Dialog open onClose={onClose} title={t('shortcuts.title')} size="sm">
      <chakra.div display="flex" flexDirection="column" gap="4">
        {GROUPS.map(({ name, shortcuts }) => (
          <chakra.section key={name}>
            <chakra.h3 mb="1" textStyle="xs" fontWeight="semibold" color="fg.muted">
              {t(`shortcuts.${name}`)}
            </chakra.h3>
            <chakra.dl>
              {shortcuts.map(({ text, keys }) => (
                <chakra.div
                  key={text}
                  display="flex"
                  alignItems="center"
                  justifyContent="space-between"
                  gap="4"
                  minH="8"
                  textStyle="sm"
                >
                  <dt>{t(`shortcuts.${text}`)}</dt>
                  <chakra.dd display="flex" alignItems="center" gap="1" color="fg.muted">
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && <chakra.span srOnly>{t('shortcuts.or')}</chakra.span>}
                        <chakra.kbd
                          px="1.5"
                          minW="6"
                          whiteSpace="nowrap"
                          textAlign="center"
                          borderWidth="1px"
                          borderColor="border.strong"
                          borderRadius="sm"
                          bg="bg.subtle"
                          fontFamily="inherit"
                          textStyle="xs"
                        >
                          {key}
                        </chakra.kbd>
                      </Fragment>
                    ))}
                  </chakra.dd>
                </chakra.div>
              ))}
            </chakra.dl>
          </chakra.section>
        ))}
        <chakra.p textStyle="xs" color="fg.muted">
          {t('shortcuts.hint')}
        </chakra.p>
      </chakra.div>
    </Dialog>
  );
}
