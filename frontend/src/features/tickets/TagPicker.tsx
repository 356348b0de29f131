import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check, Plus } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { TextInput } from '@/components/TextInput';
import { tagsQuery, useSaveTag, type Tag } from '@/features/tags/api';
import { errorMessage, toast } from '@/lib/toast';
import { dataColours } from '@/theme/tokens';
import { target } from '@/theme/screens';
import { useTicketTags } from './api';
import { creatableName, matchingTags, switchTag } from './tags';
import type { Ticket } from './types';

type TicketTag = Ticket['tags'][number];

const tagOf = ({ id, name, color, kanban }: Tag): TicketTag => ({ id, name, color, kanban });

/** The company's tags to add to or remove from a ticket; the typed text can become a new tag. */
export function TagPicker({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const { data: tags, error, isPending } = useQuery(tagsQuery());
  const save = useTicketTags(ticket);
  const create = useSaveTag();

  const chosen = new Set(ticket.tags.map((tag) => tag.id));
  // Chosen tags come first, as they were at opening, so that nothing moves under the pointer.
  const [firstIds] = useState(chosen);
  const found = matchingTags(tags ?? [], typed, firstIds);
  const newName = tags ? creatableName(tags, typed) : null;
  const count = found.length + (newName ? 1 : 0);
  const active = Math.min(place, count - 1);
  const optionId = (index: number) => `${id}-${index}`;

  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  const toggle = (tag: TicketTag) => save.mutate(switchTag(ticket.tags, tag));
  const make = (name: string) => {
    if (create.isPending) return;
    const color = dataColours[(tags?.length ?? 0) % dataColours.length] ?? '#8A989C';
    create.mutate(
      { name, color },
      {
        onSuccess: (tag) => {
          setTyped('');
          toggle(tagOf(tag));
        },
        onError: toast.error,
      },
    );
  };
  const press = (index: number) => {
    const tag = found[index];
    if (tag) toggle(tagOf(tag));
    else if (newName && index === found.length) make(newName);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      Home: 0,
      End: count - 1,
    };
    const next = moves[event.key];
    if (next !== undefined && count > 0) {
      event.preventDefault();
      setPlace((next + count) % count);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      press(active);
    }
  };

  return (
    <>
      <TextInput
        size="sm"
        autoFocus
        role="combobox"
        aria-label={t('tagPicker.search')}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={count > 0 ? optionId(active) : undefined}
        placeholder={t('tagPicker.placeholder')}
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setPlace(0);
        }}
        onKeyDown={onKeyDown}
      />
      <chakra.div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-multiselectable
        aria-label={t('tagPicker.label')}
        aria-busy={isPending}
        mt="2"
        mx="-2"
        // Half an option at the end shows that the list continues.
        maxH="272px"
        overflowY="auto"
      >
        {found.map((tag, index) => {
          const isOn = chosen.has(tag.id);
          return (
            <chakra.div
              key={tag.id}
              {...optionStyle}
              id={optionId(index)}
              role="option"
              aria-selected={isOn}
              {...(index === active && { 'data-active': '', bg: 'bg.subtle' })}
              onPointerMove={() => setPlace(index)}
              onClick={() => press(index)}
            >
              <chakra.span
                aria-hidden
                w="2"
                h="2"
                flexShrink="0"
                borderRadius="2px"
                style={{ backgroundColor: tag.color }}
              />
              <chakra.span flex="1" minW="0" truncate title={tag.name}>
                {tag.name}
              </chakra.span>
              {tag.kanban === 1 && (
                <chakra.span textStyle="xs" color="fg.muted">
                  {t('tagPicker.kanban')}
                </chakra.span>
              )}
              <chakra.span w="4" flexShrink="0" color="brand.fg">
                {isOn && <Check size={16} aria-hidden />}
              </chakra.span>
            </chakra.div>
          );
        })}
        {newName && (
          <chakra.div
            {...optionStyle}
            id={optionId(found.length)}
            role="option"
            aria-selected={false}
            {...(active === found.length && { 'data-active': '', bg: 'bg.subtle' })}
            onPointerMove={() => setPlace(found.length)}
            onClick={() => make(newName)}
          >
            {create.isPending ? <Spinner /> : <Plus size={16} aria-hidden />}
            <chakra.span flex="1" minW="0" truncate>
              {t('tagPicker.create', { name: newName })}
            </chakra.span>
          </chakra.div>
        )}
      </chakra.div>
      {(count === 0 || error) && (
        <chakra.p px="2" py="2" textStyle="sm" color="fg.muted" role="status">
          {error
            ? errorMessage(error)
            : isPending
              ? t('tagPicker.loading')
              : t(typed.trim() ? 'tagPicker.short' : 'tagPicker.empty')}
        </chakra.p>
      )}
    </>
  );
}

const optionStyle = {
  css: target,
  display: 'flex',
  alignItems: 'center',
  gap: '2',
  minH: '8',
  px: '2',
  py: '1',
  borderRadius: 'sm',
  textStyle: 'sm',
  cursor: 'pointer',
  userSelect: 'none',
} as const;
