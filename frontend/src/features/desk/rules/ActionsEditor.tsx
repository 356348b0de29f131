import { chakra } from '@chakra-ui/react';
import { ArrowUp, Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { ActionLine } from './ActionLine';
import { actionOf } from './form';
import { useLineButtons } from './useLineButtons';
import type { LearnNames } from './useLearned';
import type { Action } from './types';
import type { Names } from './useWords';

const MOST = 20;

interface ActionsEditorProps {
  actions: readonly Action[];
  isMacro: boolean;
  names: Names;
  onChange: (actions: Action[]) => void;
  onLearn: LearnNames;
}

/** What is done, in order. */
export function ActionsEditor({ actions, isMacro, names, onChange, onLearn }: ActionsEditorProps) {
  const { t } = useTranslation('rules');
  const ups = useRef<(HTMLButtonElement | null)[]>([]);
  const { add, removeAt, leave } = useLineButtons();
  const move = (index: number) => {
    if (index === 0) return;
    // Lines stay where they are, and the focus goes with the action.
    ups.current[index - 1]?.focus();
    const next = [...actions];
    next.splice(index - 1, 0, ...next.splice(index, 1));
    onChange(next);
  };
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      {actions.map((action, index) => {
        const label = t('lines.then', { number: index + 1 });
        return (
          // Actions have no identity but their place.
          <chakra.div
            key={index}
            role="group"
            aria-label={label}
            display="flex"
            alignItems="flex-start"
            gap="2"
          >
            {index > 0 && (
              <chakra.span color="fg.muted" lineHeight="1.9">
                {t('parts.and')}
              </chakra.span>
            )}
            <ActionLine
              label={label}
              action={action}
              isMacro={isMacro}
              names={names}
              onLearn={onLearn}
              onChange={(next) =>
                onChange(actions.map((each, place) => (place === index ? next : each)))
              }
            />
            {actions.length > 1 && (
              <>
                <IconButton
                  ref={(button) => {
                    ups.current[index] = button;
                  }}
                  size="sm"
                  icon={<ArrowUp size={16} />}
                  label={t('lines.up', { name: label })}
                  // Not `disabled`, nor left out: the focus comes to it.
                  aria-disabled={index === 0}
                  onClick={() => move(index)}
                />
                <IconButton
                  ref={removeAt(index)}
                  size="sm"
                  icon={<Trash2 size={16} />}
                  label={t('lines.remove', { name: label })}
                  onClick={() => {
                    leave(index, actions.length > 2 ? actions.length : 1);
                    onChange(actions.filter((_, place) => place !== index));
                  }}
                />
              </>
            )}
          </chakra.div>
        );
      })}
      <chakra.div>
        <Button
          ref={add}
          size="sm"
          variant="outline"
          icon={<Plus size={16} />}
          disabled={actions.length >= MOST}
          onClick={() => onChange([...actions, actionOf('add_tag')])}
        >
          {t('lines.addThen')}
        </Button>
      </chakra.div>
    </chakra.div>
  );
}
