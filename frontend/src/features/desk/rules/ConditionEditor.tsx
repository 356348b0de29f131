import { chakra } from '@chakra-ui/react';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { CheckLine } from './CheckLine';
import { asGroup, checkOf, groupOf, isCheck } from './form';
import { ChoiceSlot } from './Slot';
import { useLineButtons } from './useLineButtons';
import type { LearnNames } from './useLearned';
import type { Condition } from './types';
import type { Names } from './useWords';

/** As deep as a tree may be: a group within a group within the rule's. */
const DEEPEST = 3;
const MOST = 30;

interface ConditionEditorProps {
  condition: Condition;
  names: Names;
  onChange: (condition: Condition) => void;
  onLearn: LearnNames;
  depth?: number;
}

/** The conditions of a group, joined by 'e' or 'ou'; groups may hold groups. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { condition, names, onChange, onLearn, depth = 1 } = props;
  const { t } = useTranslation('rules');
  const group = 'not' in condition || isCheck(condition) ? { all: [condition] } : condition;
  const { join, parts } = groupOf(group);
  const { add, removeAt, leave } = useLineButtons();
  const set = (next: Condition[]) => onChange(asGroup(join, next));
  const setPart = (index: number, part: Condition) =>
    set(parts.map((each, place) => (place === index ? part : each)));
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      {parts.length === 0 && (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('lines.noIf')}
        </chakra.p>
      )}
      {parts.map((part, index) => {
        const label = t('lines.if', { number: index + 1 });
        return (
          // Parts have no identity but their place.
          <chakra.div key={index} display="flex" alignItems="flex-start" gap="2">
            {index > 0 && (
              <ChoiceSlot
                label={t('lines.join')}
                word={t(join === 'all' ? 'parts.and' : 'parts.or')}
                value={join}
                onChange={(next) => onChange(asGroup(next as 'all' | 'any', parts))}
                groups={[
                  {
                    options: (['all', 'any'] as const).map((value) => ({
                      value,
                      label: t(`lines.${value}`),
                    })),
                  },
                ]}
              />
            )}
            <Part
              label={label}
              part={part}
              names={names}
              depth={depth}
              onChange={(next) => setPart(index, next)}
              onLearn={onLearn}
            />
            <IconButton
              ref={removeAt(index)}
              size="sm"
              icon={<Trash2 size={16} />}
              label={t('lines.remove', { name: label })}
              onClick={() => {
                leave(index, parts.length);
                set(parts.filter((_, place) => place !== index));
              }}
            />
          </chakra.div>
        );
      })}
      <chakra.div display="flex" gap="2">
        <Button
          ref={add}
          size="sm"
          variant="outline"
          icon={<Plus size={16} />}
          disabled={parts.length >= MOST}
          onClick={() => set([...parts, checkOf('queue')])}
        >
          {t('lines.addIf')}
        </Button>
        {depth < DEEPEST && parts.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus size={16} />}
            onClick={() =>
              set([...parts, asGroup(join === 'all' ? 'any' : 'all', [checkOf('queue')])])
            }
          >
            {t('lines.addGroup')}
          </Button>
        )}
      </chakra.div>
    </chakra.div>
  );
}

interface PartProps {
  label: string;
  part: Condition;
  names: Names;
  depth: number;
  onChange: (part: Condition) => void;
  onLearn: LearnNames;
}

function Part({ label, part, names, depth, onChange, onLearn }: PartProps) {
  const { t } = useTranslation('rules');
  const isNot = 'not' in part;
  const inner = isNot ? part.not : part;
  if (isCheck(inner)) {
    return (
      <CheckLine
        label={label}
        check={inner}
        isNot={isNot}
        names={names}
        onLearn={onLearn}
        onChange={(check, negated) => onChange(negated ? { not: check } : check)}
      />
    );
  }
  return (
    <chakra.div
      role="group"
      aria-label={t('lines.group')}
      flex="1"
      minW="0"
      ps="3"
      borderInlineStartWidth="2px"
    >
      {isNot && <chakra.p textStyle="sm">{t('parts.not')}</chakra.p>}
      <ConditionEditor
        condition={inner}
        names={names}
        depth={depth + 1}
        onLearn={onLearn}
        onChange={(next) => onChange(isNot ? { not: next } : next)}
      />
    </chakra.div>
  );
}
