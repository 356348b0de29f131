import { chakra } from '@chakra-ui/react';
import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Counted } from './Counted';
import { LIMITS, newRow, newSection, type FormSection, type MenuForm } from './form';

export interface FieldsProps {
  form: MenuForm;
  onChange: (changes: Partial<MenuForm>) => void;
  errorOf: (field: string) => string | undefined;
}

const changed = <Item,>(items: readonly Item[], at: number, item: Item): Item[] =>
  items.map((each, index) => (index === at ? item : each));
const without = <Item,>(items: readonly Item[], at: number): Item[] =>
  items.filter((_, index) => index !== at);

export function AddButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button
      variant="outline"
      size="sm"
      alignSelf="flex-start"
      icon={<Plus size={16} />}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

/** A frame around the fields of a part that can be removed. */
export function Part(props: {
  title: string;
  removeLabel: string;
  onRemove: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <chakra.fieldset
      display="flex"
      flexDirection="column"
      gap="3"
      p="3"
      borderWidth="1px"
      borderRadius="md"
      minW="0"
    >
      <chakra.div display="flex" alignItems="center" justifyContent="space-between" minH="8">
        <chakra.legend textStyle="sm" fontWeight="semibold" float="left">
          {props.title}
        </chakra.legend>
        {props.onRemove && (
          <IconButton
            label={props.removeLabel}
            icon={<X size={16} />}
            size="sm"
            onClick={props.onRemove}
          />
        )}
      </chakra.div>
      {props.children}
    </chakra.fieldset>
  );
}

/** One to three reply buttons. */
export function ButtonsFields({ form, onChange, errorOf }: FieldsProps) {
  const { t } = useTranslation('interactive');
  const { buttons } = form;
  return (
    <>
      {buttons.map((title, at) => (
        <chakra.div key={at} display="flex" alignItems="flex-start" gap="1">
          <Counted
            label={t('fields.button', { number: at + 1 })}
            value={title}
            limit={LIMITS.button}
            required
            error={errorOf(`buttons.${at}`)}
            onChange={(value) => onChange({ buttons: changed(buttons, at, value) })}
          />
          {buttons.length > 1 && (
            <IconButton
              label={t('remove.button', { number: at + 1 })}
              icon={<X size={16} />}
              mt="6"
              onClick={() => onChange({ buttons: without(buttons, at) })}
            />
          )}
        </chakra.div>
      ))}
      {buttons.length < LIMITS.buttons && (
        <AddButton onClick={() => onChange({ buttons: [...buttons, ''] })}>
          {t('add.button')}
        </AddButton>
      )}
    </>
  );
}

/** A list: the button that opens it, and its rows in sections. */
export function ListFields({ form, onChange, errorOf }: FieldsProps) {
  const { t } = useTranslation('interactive');
  const { sections } = form;
  const rowCount = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  const change = (at: number, changes: Partial<FormSection>) => {
    const section = sections[at];
    if (section) onChange({ sections: changed(sections, at, { ...section, ...changes }) });
  };
  return (
    <>
      <Counted
        label={t('fields.listButton')}
        value={form.listButton}
        limit={LIMITS.button}
        required
        error={errorOf('button')}
        onChange={(listButton) => onChange({ listButton })}
      />
      {sections.map(({ title, rows }, at) => (
        <Part
          key={at}
          title={t('fields.section', { number: at + 1 })}
          removeLabel={t('remove.section', { number: at + 1 })}
          onRemove={
            sections.length > 1 ? () => onChange({ sections: without(sections, at) }) : undefined
          }
        >
          <Counted
            label={t('fields.sectionTitle')}
            value={title}
            limit={LIMITS.title}
            required={sections.length > 1}
            error={errorOf(`sections.${at}.title`)}
            onChange={(value) => change(at, { title: value })}
          />
          {rows.map((row, place) => (
            <chakra.div key={place} display="flex" alignItems="flex-start" gap="1">
              <chakra.div
                display="grid"
                gap="3"
                flex="1"
                minW="0"
                gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}
              >
                <Counted
                  label={t('fields.row', { number: place + 1 })}
                  value={row.title}
                  limit={LIMITS.title}
                  required
                  error={errorOf(`sections.${at}.rows.${place}`)}
                  onChange={(value) =>
                    change(at, { rows: changed(rows, place, { ...row, title: value }) })
                  }
                />
                <Counted
                  label={t('fields.description')}
                  value={row.description}
                  limit={LIMITS.description}
                  error={undefined}
                  onChange={(value) =>
                    change(at, { rows: changed(rows, place, { ...row, description: value }) })
                  }
                />
              </chakra.div>
              {rows.length > 1 && (
                <IconButton
                  label={t('remove.row', { number: place + 1 })}
                  icon={<X size={16} />}
                  mt="6"
                  onClick={() => change(at, { rows: without(rows, place) })}
                />
              )}
            </chakra.div>
          ))}
          {rowCount < LIMITS.rows && (
            <AddButton onClick={() => change(at, { rows: [...rows, newRow()] })}>
              {t('add.row')}
            </AddButton>
          )}
        </Part>
      ))}
      {rowCount < LIMITS.rows && sections.length < LIMITS.sections ? (
        <AddButton onClick={() => onChange({ sections: [...sections, newSection()] })}>
          {t('add.section')}
        </AddButton>
      ) : (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('mostRows', { count: LIMITS.rows })}
        </chakra.p>
      )}
    </>
  );
}
