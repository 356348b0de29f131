import { chakra } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { CancelButton, Dialog } from '@/components/Dialog';
import { ListEnd } from '@/components/ListEnd';
import { SearchInput } from '@/components/SearchInput';
import { Select } from '@/components/Select';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { libraryQuery, type LibraryFilters } from './api';
import { LibraryChoiceForm } from './LibraryChoiceForm';
import { INDUSTRIES, LIBRARY_LANGUAGES, shownLibrary, TOPICS, USECASES } from './library';
import type { LibraryTemplate } from './types';

const Row = chakra('button');

interface LibraryDialogProps {
  connectionId: number;
  onClose: () => void;
}

/** Meta's template library: browsed, then a template filled in and submitted. */
export function LibraryDialog({ connectionId, onClose }: LibraryDialogProps) {
  const { t, i18n } = useTranslation(['templateLibrary', 'templates', 'common']);
  const own = LIBRARY_LANGUAGES.find((code) => code.startsWith(i18n.language.slice(0, 2)));
  const [filters, setFilters] = useState<LibraryFilters>({
    search: '',
    topic: '',
    usecase: '',
    industry: '',
    language: own ?? '',
  });
  const [chosen, setChosen] = useState<LibraryTemplate | null>(null);
  const pages = useInfiniteQuery(libraryQuery(connectionId, filters));
  const rows = pages.data?.pages.flatMap(({ templates }) => templates);

  if (chosen)
    return (
      <LibraryChoiceForm
        connectionId={connectionId}
        template={chosen}
        onBack={() => setChosen(null)}
        onClose={onClose}
      />
    );

  const filter = (name: keyof LibraryFilters, values: readonly string[], label: string) => (
    <chakra.div w={{ base: 'calc(50% - 4px)', sm: '168px' }}>
      <Select
        size="sm"
        aria-label={t(`filters.${name}`)}
        placeholder={t(`all.${name}`)}
        value={filters[name]}
        onChange={({ target }) => setFilters({ ...filters, [name]: target.value })}
        options={values.map((value) => ({
          value,
          label: t(`${label}.${value}`, { defaultValue: value }),
        }))}
      />
    </chakra.div>
  );

  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={t('title')}
      footer={<CancelButton>{t('common:actions.close')}</CancelButton>}
    >
      <chakra.div display="flex" flexDirection="column" gap="4" minH="60vh">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('text')}
        </chakra.p>
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          <SearchInput
            label={t('search')}
            value={filters.search}
            onSearch={(search) => setFilters({ ...filters, search })}
          />
          {filter('topic', TOPICS, 'topics')}
          {filter('usecase', USECASES, 'usecases')}
          {filter('industry', INDUSTRIES, 'industries')}
          {filter('language', LIBRARY_LANGUAGES, 'templates:languages')}
        </chakra.div>
        {pages.isPending && <SkeletonRows rows={5} />}
        {pages.isError && !rows && (
          <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />
        )}
        {rows?.length === 0 && (
          <EmptyState icon={<BookOpen size={20} />} title={t('none.title')} text={t('none.text')} />
        )}
        {rows && rows.length > 0 && (
          <chakra.ul
            aria-label={t('title')}
            listStyleType="none"
            display="grid"
            gap="3"
            gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }}
          >
            {rows.map((row) => (
              <li key={`${row.name} ${row.language}`}>
                <LibraryRow template={row} onChoose={() => setChosen(row)} />
              </li>
            ))}
          </chakra.ul>
        )}
        {rows && <ListEnd pages={pages} />}
      </chakra.div>
    </Dialog>
  );
}

function LibraryRow({ template, onChoose }: { template: LibraryTemplate; onChoose: () => void }) {
  const { t } = useTranslation(['templateLibrary', 'templates']);
  const { header, body, buttons } = shownLibrary(template);
  return (
    <Row
      type="button"
      disabled={!template.canBeUsed}
      onClick={onChoose}
      w="full"
      h="full"
      p="3"
      display="flex"
      flexDirection="column"
      gap="2"
      textAlign="start"
      borderWidth="1px"
      borderRadius="md"
      _hover={{ bg: 'bg.subtle' }}
      _disabled={{ cursor: 'not-allowed', color: 'fg.muted', bg: 'bg.subtle' }}
    >
      <chakra.span display="flex" flexWrap="wrap" alignItems="center" gap="2">
        <chakra.span textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
          {template.name}
        </chakra.span>
        <Badge>{t(`usecases.${template.usecase}`, { defaultValue: template.usecase })}</Badge>
      </chakra.span>
      <chakra.span textStyle="sm" overflowWrap="anywhere">
        {header?.kind === 'text' && (
          <chakra.span display="block" fontWeight="semibold">
            {header.text}
          </chakra.span>
        )}
        {body}
      </chakra.span>
      {buttons.length > 0 && (
        <chakra.span textStyle="xs" color="brand.fg">
          {buttons.map(({ text }) => text).join(' · ')}
        </chakra.span>
      )}
      <chakra.span textStyle="xs" color="fg.muted" mt="auto">
        {template.canBeUsed
          ? t(`templates:languages.${template.language}`, { defaultValue: template.language })
          : t('notHere')}
      </chakra.span>
    </Row>
  );
}
