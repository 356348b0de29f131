import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartNoAxesColumn } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Panel } from '@/components/Panel';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { formatCount } from '@/lib/format';
import { useSpan } from '@/lib/useSpan';
import { focusVisible } from '@/theme/recipes/controls';
import { figuresQuery } from './api';
import { FigureRow, FigureRows } from './FigureRow';
import { Heatmap } from './Heatmap';
import { conversationsPath, type Search } from './search';
import type { ReportFigures } from './types';

const rounded = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 2 });
const RATING_TONES = { 1: 'danger', 2: 'waiting', 3: 'live' } as const;

/** The figures of the asked conversations; each one opens them (rules/reports §4). */
export function Summary({ search }: { search: Search }) {
  const { t } = useTranslation('reports');
  const query = useQuery({ ...figuresQuery(search), placeholderData: keepPreviousData });
  const figures = query.data;
  if (!figures && query.error)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (figures?.conversations === 0)
    return (
      <EmptyState
        icon={<ChartNoAxesColumn size={20} />}
        title={t('empty.title')}
        text={t('empty.text')}
      />
    );
  const pathOf = (narrow: Partial<Search>) => conversationsPath(search, narrow);
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      gap="4"
      flexShrink="0"
      aria-busy={query.isPlaceholderData}
      opacity={query.isPlaceholderData ? 0.6 : 1}
    >
      <Cards figures={figures} pathOf={pathOf} />
      <chakra.div
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' }}
      >
        <Bands figures={figures} pathOf={pathOf} />
        <Ratings figures={figures} pathOf={pathOf} />
        <Reasons figures={figures} pathOf={pathOf} />
      </chakra.div>
      <Panel title={t('times.title')} aside={t('times.aside')}>
        {figures ? (
          <Heatmap
            times={figures.times}
            pathOf={(weekday, hour) => pathOf({ weekday: String(weekday), hour: String(hour) })}
          />
        ) : (
          <Skeleton display="block" h="64" mx="4" mb="4" />
        )}
      </Panel>
    </chakra.div>
  );
}

interface PartProps {
  figures: ReportFigures | undefined;
  pathOf: (narrow: Partial<Search>) => string;
}

const CardLink = chakra(Link, {
  base: {
    display: 'flex',
    flexDirection: 'column',
    gap: '1',
    p: '4',
    minW: '0',
    bg: 'bg.surface',
    borderWidth: '1px',
    borderRadius: 'md',
    _hover: { borderColor: 'border.strong' },
    _focusVisible: focusVisible,
  },
});

interface CardProps {
  label: string;
  to: string;
  /** How many of 20 columns it has on wide screens. */
  columns: 4 | 5;
  /** As wide as two on narrow ones. */
  isWide?: boolean;
  children: ReactNode;
}

function Card({ label, to, columns, isWide = false, children }: CardProps) {
  return (
    <CardLink to={to} gridColumn={{ base: `span ${isWide ? 2 : 1}`, md: `span ${columns}` }}>
      <chakra.span textStyle="sm" color="fg.muted" overflowWrap="anywhere">
        {label}
      </chakra.span>
      <chakra.span
        mt="auto"
        minH="8"
        textStyle="xl"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
      >
        {children}
      </chakra.span>
    </CardLink>
  );
}

const COUNTS = ['conversations', 'waiting', 'open', 'resolved'] as const;
/** The means, with the conversations of which each is made. */
const MEANS = [
  ['waitSeconds', { accepted: 'true' }],
  ['firstAnswerSeconds', { answered: 'true' }],
  ['attendanceSeconds', { accepted: 'true', state: 'resolved' }],
  ['resolutionSeconds', { state: 'resolved' }],
] as const;

function Cards({ figures, pathOf }: PartProps) {
  const { t } = useTranslation('reports');
  const span = useSpan();
  const value = (shown: ReactNode) =>
    figures ? shown : <Skeleton display="block" w="14" h="6" mt="1" />;
  return (
    <chakra.div
      role="group"
      aria-label={t('cards.label')}
      display="grid"
      gap="3"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        md: 'repeat(20, minmax(0, 1fr))',
      }}
    >
      {COUNTS.map((name) => (
        <Card
          key={name}
          label={t(`cards.${name}`)}
          to={pathOf(name === 'conversations' ? {} : { state: name })}
          columns={4}
          isWide={name === 'conversations'}
        >
          {value(figures && formatCount(figures[name]))}
        </Card>
      ))}
      <Card label={t('cards.rating')} to={pathOf({ rating: 'any' })} columns={4}>
        {value(figures?.rating == null ? '–' : rounded.format(figures.rating))}
      </Card>
      {MEANS.map(([name, narrow]) => (
        <Card key={name} label={t(`cards.${name}`)} to={pathOf(narrow)} columns={5}>
          {value(span(figures?.[name]))}
        </Card>
      ))}
    </chakra.div>
  );
}

const Waiting = () => <Skeleton display="block" h="40" mx="4" mb="4" />;

function Nothing({ children }: { children: ReactNode }) {
  return (
    <chakra.p px="4" pb="4" textStyle="sm" color="fg.muted">
      {children}
    </chakra.p>
  );
}

function Bands({ figures, pathOf }: PartProps) {
  const { t } = useTranslation('reports');
  return (
    <Panel title={t('bands.title')} aside={t('bands.aside')}>
      {!figures ? (
        <Waiting />
      ) : figures.resolved === 0 ? (
        <Nothing>{t('bands.none')}</Nothing>
      ) : (
        <FigureRows>
          {figures.bands.map(({ band, count }) => (
            <FigureRow
              key={band}
              label={t(`bands.${band}`)}
              count={count}
              total={figures.resolved}
              to={pathOf({ band })}
              tone={band === 'never' ? 'danger' : 'brand'}
            />
          ))}
        </FigureRows>
      )}
    </Panel>
  );
}

function Ratings({ figures, pathOf }: PartProps) {
  const { t } = useTranslation('reports');
  const rated = figures?.ratings.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const asked = rated + (figures?.unanswered ?? 0);
  return (
    <Panel title={t('ratings.title')}>
      {!figures ? (
        <Waiting />
      ) : asked === 0 ? (
        <Nothing>{t('ratings.none')}</Nothing>
      ) : (
        <FigureRows>
          {[...figures.ratings].reverse().map(({ rating, count }) => (
            <FigureRow
              key={rating}
              label={t(`ratings.${rating as 1 | 2 | 3}`)}
              count={count}
              total={asked}
              to={pathOf({ rating: String(rating) })}
              tone={RATING_TONES[rating as 1 | 2 | 3]}
            />
          ))}
          <FigureRow
            label={t('ratings.unanswered')}
            count={asked - rated}
            total={asked}
            to={pathOf({ rating: 'unanswered' })}
          />
        </FigureRows>
      )}
    </Panel>
  );
}

function Reasons({ figures, pathOf }: PartProps) {
  const { t } = useTranslation('reports');
  return (
    <Panel title={t('reasons.title')}>
      {!figures ? (
        <Waiting />
      ) : figures.reasons.length === 0 ? (
        <Nothing>{t('reasons.none')}</Nothing>
      ) : (
        <FigureRows>
          {figures.reasons.map(({ reason, count }) => (
            <FigureRow
              key={reason}
              label={reason || t('reasons.without')}
              count={count}
              total={figures.resolved}
              to={pathOf(reason ? { reason } : { withoutReason: 'true' })}
            />
          ))}
        </FigureRows>
      )}
    </Panel>
  );
}
