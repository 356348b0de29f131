import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextArea, TextInput } from '@/components/TextInput';
import { Field } from '@/components/Field';
import { TimeField } from '@/components/TimeField';
import { Checkbox } from '@/components/Toggle';
import { FIELD_GROUPS, FIELDS, WORDS } from './catalogue';
import { checkOf } from './form';
import { ManyPanel } from './RowsPanel';
import { Sentence } from './Sentence';
import { ChoiceSlot, Done, PanelSlot } from './Slot';
import type { LearnNames } from './useLearned';
import type { Check, CheckField, NamedKind, Operator } from './types';
import { useWords, type Names } from './useWords';

interface CheckLineProps {
  label: string;
  check: Check;
  isNot: boolean;
  names: Names;
  onChange: (check: Check, isNot: boolean) => void;
  onLearn: LearnNames;
}

/** One condition: what is looked at, how, and with what. */
export function CheckLine({ label, check, isNot, names, onChange, onLearn }: CheckLineProps) {
  const { t } = useTranslation('rules');
  const words = useWords(names);
  const { operators } = FIELDS[check.field];
  const isMissing =
    check.operator !== 'empty' && !check.values?.some((each) => String(each).trim());
  const slots = {
    field: () => (
      <>
        <ChoiceSlot
          label={label}
          word={t(`fields.${check.field}`)}
          value={check.field}
          onChange={(field) => onChange(checkOf(field as CheckField), isNot)}
          groups={FIELD_GROUPS.map(({ group, fields }) => ({
            label: t(`groups.${group}`),
            options: fields.map((value) => ({ value, label: t(`fields.${value}`) })),
          }))}
        />{' '}
        {check.field === 'contactField' && (
          <PanelSlot
            label={label}
            word={check.name || t('choose.field')}
            isMissing={!check.name}
            width="280px"
          >
            {(close) => (
              <>
                <TextInput
                  size="sm"
                  maxLength={100}
                  aria-label={t('chooser.fieldName')}
                  value={check.name ?? ''}
                  onChange={(event) => onChange({ ...check, name: event.target.value }, isNot)}
                />
                <Done onClick={close} />
              </>
            )}
          </PanelSlot>
        )}
      </>
    ),
    operator: () => (
      <ChoiceSlot
        label={label}
        word={words.check.operator(check, isNot)}
        value={`${check.operator} ${isNot}`}
        onChange={(value) => {
          const [operator, negated] = value.split(' ') as [Operator, string];
          onChange({ ...check, operator }, negated === 'true');
        }}
        groups={[
          {
            options: operators.flatMap((operator) =>
              [false, true].map((negated) => ({
                value: `${operator} ${negated}`,
                label: words.check.operator({ ...check, operator }, negated),
              })),
            ),
          },
        ]}
      />
    ),
    values: () => (
      <PanelSlot label={label} word={words.check.values(check)} isMissing={isMissing}>
        {(close) => (
          <>
            <Values check={check} onChange={(next) => onChange(next, isNot)} onLearn={onLearn} />
            <Done onClick={close} />
          </>
        )}
      </PanelSlot>
    ),
  };
  const parts =
    check.operator === 'empty'
      ? (['field', 'operator'] as const)
      : (['field', 'operator', 'values'] as const);
  return <Sentence parts={parts} slots={slots} />;
}

interface ValuesProps {
  check: Check;
  onChange: (check: Check) => void;
  onLearn: LearnNames;
}

function Values({ check, onChange, onLearn }: ValuesProps) {
  const { t } = useTranslation('rules');
  const { field, values = [] } = check;
  switch (FIELDS[field].values) {
    case 'ids': {
      const kind = field as NamedKind;
      return (
        <ManyPanel
          kind={kind}
          value={values.map(Number)}
          onChange={(ids, names) => {
            onLearn(kind, names);
            onChange({ ...check, values: ids });
          }}
        />
      );
    }
    case 'words':
    case 'days':
      return (
        <chakra.div display="flex" flexDirection="column" gap="2" role="group">
          {(WORDS[field] ?? []).map((word) => (
            <Checkbox
              key={word}
              label={
                field === 'weekday'
                  ? t(`days.${word}`)
                  : t([`fieldWords.${field}.${word}`, `words.${word}`])
              }
              checked={values.includes(word)}
              onChange={(on) =>
                onChange({
                  ...check,
                  values: on ? [...values, word] : values.filter((other) => other !== word),
                })
              }
            />
          ))}
        </chakra.div>
      );
    case 'span':
      return <HourSpan values={values} onChange={(span) => onChange({ ...check, values: span })} />;
    default:
      return (
        <>
          <TextArea
            rows={3}
            aria-label={t('chooser.fieldValue')}
            value={values.join('\n')}
            onChange={(event) => onChange({ ...check, values: event.target.value.split('\n') })}
          />
          <chakra.p textStyle="xs" color="fg.muted" mt="1">
            {t('chooser.texts')}
          </chakra.p>
        </>
      );
  }
}

const asTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The minutes of 'HH:mm'; null while it is typed. */
const minutesAt = (time: string) => {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  return hours ? Number(hours) * 60 + Number(minutes) : null;
};

function HourSpan({
  values,
  onChange,
}: {
  values: readonly (string | number)[];
  onChange: (span: number[]) => void;
}) {
  const { t } = useTranslation('rules');
  const [times, setTimes] = useState(() =>
    [0, 1].map((index) => asTime(Number(values[index] ?? 0))),
  );
  const take = (index: number, time: string) => {
    const next = times.map((each, place) => (place === index ? time : each));
    setTimes(next);
    const span = next.map(minutesAt);
    if (span.every((each) => each !== null)) onChange(span);
  };
  return (
    <chakra.div display="flex" gap="2">
      {(['from', 'to'] as const).map((name, index) => (
        <Field key={name} label={t(`chooser.${name}`)}>
          <TimeField value={times[index] ?? ''} onChange={(time) => take(index, time)} />
        </Field>
      ))}
    </chakra.div>
  );
}
