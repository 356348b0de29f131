import { chakra } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { labelId, useFieldProps } from '@/components/Field';
import { ErrorState, SkeletonRows } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { Checkbox } from '@/components/Toggle';
import { foldText } from '@/lib/search';
import { target } from '@/theme/screens';

/** With this many users there is a search field. */
const MANY = 8;

interface Person {
  id: number;
  name: string;
  online: boolean;
}

interface PeopleFieldProps {
  people: readonly Person[] | undefined;
  error: unknown;
  onRetry: () => void;
  value: readonly number[];
  onChange: (ids: number[]) => void;
}

/** Chooses users of the company, inside a Field; online users have a dot. */
export function PeopleField({ people, error, onRetry, value, onChange }: PeopleFieldProps) {
  const { t } = useTranslation('chat');
  const { id } = useFieldProps();
  const [search, setSearch] = useState('');
  if (!people)
    return error ? <ErrorState error={error} onRetry={onRetry} /> : <SkeletonRows rows={3} />;
  const found = people.filter(({ name }) => foldText(name).includes(foldText(search.trim())));
  return (
    <chakra.div
      role="group"
      {...(id && { 'aria-labelledby': labelId(id) })}
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
    >
      {people.length > MANY && (
        <chakra.div p="2" borderBottomWidth="1px">
          <TextInput
            id={`${id}-search`}
            type="search"
            aria-label={t('dialog.search')}
            placeholder={t('dialog.search')}
            startIcon={<Search size={16} />}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              // Enter in the search field must not submit the form.
              if (event.key === 'Enter') event.preventDefault();
            }}
          />
        </chakra.div>
      )}
      <chakra.div maxH="264px" overflowY="auto" p="1" tabIndex={-1}>
        {found.length === 0 && (
          <chakra.p p="3" textStyle="sm" color="fg.muted">
            {people.length === 0 ? t('dialog.none') : t('dialog.notFound')}
          </chakra.p>
        )}
        {found.map((person) => (
          <chakra.div
            key={person.id}
            borderRadius="sm"
            _hover={{ bg: 'bg.hover' }}
            css={{ '& label': { width: '100%', padding: '4px 8px', ...target } }}
          >
            <Checkbox
              checked={value.includes(person.id)}
              onChange={(on) =>
                onChange(on ? [...value, person.id] : value.filter((other) => other !== person.id))
              }
              label={
                <chakra.span display="flex" alignItems="center" gap="2.5" minW="0" textStyle="sm">
                  <Avatar name={person.name} size={28} online={person.online} />
                  <chakra.span overflowWrap="anywhere">{person.name}</chakra.span>
                </chakra.span>
              }
            />
          </chakra.div>
        ))}
      </chakra.div>
      {value.length > 0 && (
        <chakra.p
          px="3"
          py="1.5"
          borderTopWidth="1px"
          textStyle="xs"
          color="fg.muted"
          fontVariantNumeric="tabular-nums"
          aria-live="polite"
        >
          {t('dialog.chosen', { count: value.length })}
        </chakra.p>
      )}
    </chakra.div>
  );
}
