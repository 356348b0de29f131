import { chakra } from '@chakra-ui/react';
import { Check, RotateCw, Search } from 'lucide-react';
import { useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Select } from '@/components/Select';
import { EmptyState } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { plainText } from '@/lib/markup';
import { keyOf, matching, type Template, type TemplateFilter } from '@/lib/templates/filling';
import { asText, typeOf } from '@/lib/templates/shown';

const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'];

const Toggle = chakra('button', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    h: '7',
    px: '2.5',
    borderRadius: 'full',
    borderWidth: '1px',
    borderColor: 'border.strong',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    cursor: 'pointer',
    whiteSpace: 'nowrap',
    _hover: { bg: 'bg.hover' },
    _pressed: { bg: 'brand.subtle', borderColor: 'brand.border', color: 'brand.fg' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg' },
  },
});

const Row = chakra('button', {
  base: {
    display: 'block',
    w: 'full',
    textAlign: 'start',
    px: '3',
    py: '2',
    borderRadius: 'md',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _selected: { bg: 'brand.subtle' },
    _disabled: { cursor: 'not-allowed', bg: 'transparent' },
    _focusVisible: { outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' },
  },
});

const bodyOf = ({ components }: Template) =>
  asText(components.find((part) => typeOf(part) === 'BODY')?.text);

interface TemplateListProps {
  templates: readonly Template[];
  /**
   * The contact is known only by a user id: authentication templates can be sent to numbers only.
   */
  withoutNumber: boolean;
  filter: TemplateFilter;
  onFilter: (filter: TemplateFilter) => void;
  chosenKey: string | null;
  onChoose: (template: Template) => void;
  refreshing: boolean;
  onRefresh: () => void;
}

/** All templates of the number; those that cannot be sent show the reason. */
export function TemplateList(props: TemplateListProps) {
  const { templates, withoutNumber, filter, onFilter, chosenKey, onChoose, refreshing, onRefresh } =
    props;
  const { t } = useTranslation('templates');
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const shown = matching(templates, filter);
  const mayBeSent = ({ canBeSent, needsNumber }: Template) =>
    canBeSent && !(needsNumber && withoutNumber);
  const reasonOf = ({ status, canBeSent }: Template) => {
    if (canBeSent) return t('status.needsNumber');
    if (status === 'APPROVED') return t('status.unsupported');
    return t(`status.${status}`, { defaultValue: t('status.other') });
  };
  const languages = [...new Set(templates.map(({ language }) => language))].sort();
  const categories = CATEGORIES.filter((name) =>
    templates.some(({ category }) => category === name),
  );
  const nameOfLanguage = (code: string) => t(`languages.${code}`, { defaultValue: code });
  const change = (changes: Partial<TemplateFilter>) => onFilter({ ...filter, ...changes });

  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = rows();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = {
      ArrowDown: Math.min(at + 1, all.length - 1),
      ArrowUp: at - 1,
      Home: at < 0 ? undefined : 0,
      End: at < 0 ? undefined : all.length - 1,
    }[event.key];
    if (next === undefined || all.length === 0) return;
    event.preventDefault();
    if (next >= 0) all[next]?.focus();
    else search.current?.focus();
  };
  // One tab stop: the chosen template, else the first.
  const stop = shown.some((each) => keyOf(each) === chosenKey)
    ? chosenKey
    : shown[0] && keyOf(shown[0]);

  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      minH="0"
      h="full"
      // Only moves the focus within the list.
      onKeyDown={onKeyDown}
    >
      <chakra.div
        px="4"
        pt={{ base: '1', md: '3' }}
        pb="3"
        display="flex"
        flexDirection="column"
        gap="2"
      >
        <chakra.div display="flex" gap="1">
          <TextInput
            ref={search}
            type="search"
            autoFocus
            autoComplete="off"
            aria-label={t('search')}
            placeholder={t('search')}
            startIcon={<Search size={16} />}
            value={filter.search}
            onChange={(event) => change({ search: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              const [first] = shown;
              if (first && mayBeSent(first)) onChoose(first);
            }}
          />
          <IconButton
            label={t('refresh')}
            icon={
              <chakra.span
                display="flex"
                {...(refreshing && { animation: 'spin 0.9s linear infinite' })}
              >
                <RotateCw size={16} />
              </chakra.span>
            }
            disabled={refreshing}
            onClick={onRefresh}
          />
        </chakra.div>
        {categories.length > 1 && (
          <chakra.div
            role="group"
            aria-label={t('categories')}
            display="flex"
            flexWrap="wrap"
            gap="1"
          >
            {['', ...categories].map((category) => (
              <Toggle
                key={category}
                type="button"
                aria-pressed={filter.category === category}
                onClick={() => change({ category })}
              >
                {t(`category.${category || 'all'}`)}
              </Toggle>
            ))}
          </chakra.div>
        )}
        {languages.length > 1 && (
          <Select
            size="sm"
            aria-label={t('language')}
            placeholder={t('allLanguages')}
            options={languages.map((code) => ({ value: code, label: nameOfLanguage(code) }))}
            value={filter.language}
            onChange={(event) => change({ language: event.target.value })}
          />
        )}
      </chakra.div>
      <chakra.span srOnly role="status">
        {t('count', { count: shown.length })}
      </chakra.span>
      {shown.length === 0 ? (
        <EmptyState
          icon={<Search size={20} />}
          title={t('none.title')}
          text={t('none.text')}
          action={
            <Button
              variant="outline"
              size="sm"
              onClick={() => onFilter({ search: '', category: '', language: '' })}
            >
              {t('none.clear')}
            </Button>
          }
        />
      ) : (
        <chakra.div
          ref={list}
          role="listbox"
          aria-label={t('list')}
          flex="1"
          minH="0"
          overflowY="auto"
          px="2"
          pb="2"
        >
          {shown.map((template) => {
            const key = keyOf(template);
            const chosen = key === chosenKey;
            const canBeSent = mayBeSent(template);
            const reason = canBeSent ? '' : reasonOf(template);
            return (
              <Row
                key={key}
                type="button"
                role="option"
                tabIndex={key === stop ? 0 : -1}
                aria-selected={chosen}
                aria-disabled={!canBeSent}
                onClick={() => canBeSent && onChoose(template)}
              >
                <chakra.span display="flex" alignItems="center" gap="2">
                  <chakra.span
                    flex="1"
                    minW="0"
                    truncate
                    textStyle="sm"
                    fontWeight="semibold"
                    color={canBeSent ? 'fg.default' : 'fg.muted'}
                  >
                    {template.name}
                  </chakra.span>
                  {languages.length > 1 && (
                    <Badge tone="neutral" title={nameOfLanguage(template.language)}>
                      {template.language.replace('_', '-')}
                    </Badge>
                  )}
                  {chosen && (
                    <chakra.span display="flex" color="brand.fg">
                      <Check size={16} aria-hidden />
                    </chakra.span>
                  )}
                </chakra.span>
                <chakra.span
                  display="block"
                  textStyle="xs"
                  color="fg.muted"
                  lineClamp={reason ? 1 : 2}
                >
                  {plainText(bodyOf(template))}
                </chakra.span>
                {reason && (
                  <chakra.span
                    display="block"
                    textStyle="xs"
                    fontWeight="medium"
                    color="status.waiting.fg"
                  >
                    {reason}
                  </chakra.span>
                )}
              </Row>
            );
          })}
        </chakra.div>
      )}
    </chakra.div>
  );
}
