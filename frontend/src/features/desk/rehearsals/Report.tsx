import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyLine } from '@/components/Section';
import { formatCount, formatDateTime } from '@/lib/format';
import { useSpan } from '@/lib/useSpan';
import { touch } from '@/theme/screens';
import { BotFigures, botLines } from './BotReport';
import { Compared } from './Compared';
import type { Rehearsal, RehearsalReport, RehearsalSample } from './types';

interface ReportProps {
  rehearsal: Rehearsal;
  report: RehearsalReport;
  /** How many steps the times have that were tried. */
  steps: number;
}

/** What would have happened, beside what did. */
export function Report({ rehearsal, report, steps }: ReportProps) {
  const { t } = useTranslation('rehearsals');
  const { subject } = rehearsal;
  const isDistribution = subject === 'assignment';
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <chakra.p textStyle="xs" color="fg.muted">
        {t('head', {
          name: rehearsal.userName ?? t('somebody'),
          since: formatDateTime(rehearsal.since),
          until: formatDateTime(rehearsal.until),
        })}
      </chakra.p>
      <chakra.p fontWeight="semibold">
        {t(`found.${subject}`, {
          count: report.matched,
          matched: formatCount(report.matched),
          tickets: formatCount(report.tickets),
          changed: formatCount(report.changed),
          runs: formatCount(report.runs.after),
        })}
      </chakra.p>
      {subject === 'rule' && <Runs report={report} isNew={rehearsal.targetId === null} />}
      {report.matched === 0 ? (
        <EmptyLine>{t(`none.${subject}`)}</EmptyLine>
      ) : (
        <>
          {report.bot && <BotFigures bot={report.bot} />}
          {(isDistribution || subject === 'sla') && (
            <Sides report={report} isDistribution={isDistribution} />
          )}
          {subject === 'sla' && steps > 0 && <Steps report={report} />}
          {isDistribution && report.people.length > 0 && <People report={report} />}
          <Samples samples={report.samples} />
        </>
      )}
      <chakra.ul listStyleType="disc" textStyle="xs" color="fg.muted" ps="4" m="0">
        <chakra.li>{t(`supposes.${subject}`)}</chakra.li>
        {report.estimatedPeople > 0 && (
          <chakra.li>{t('estimated', { count: report.estimatedPeople })}</chakra.li>
        )}
        {report.isCut && <chakra.li>{t('cut', { count: report.tickets })}</chakra.li>}
        {rehearsal.expiresAt && (
          <chakra.li>{t('kept', { at: formatDateTime(rehearsal.expiresAt) })}</chakra.li>
        )}
      </chakra.ul>
    </chakra.div>
  );
}

function Sides({ report, isDistribution }: { report: RehearsalReport; isDistribution: boolean }) {
  const { t } = useTranslation(['rehearsals', 'deadlines']);
  const span = useSpan();
  const { before, after } = report;
  const waits = (['waits', 'answers'] as const).flatMap((what) =>
    (['median', 'p90'] as const).map((rank) => ({
      key: `${what}.${rank}`,
      name: t(`rows.${what}.${rank}`),
      before: span(before[what][rank]),
      after: span(after[what][rank]),
    })),
  );
  const counts = (['held', 'answered', 'returned', 'forSupervisors'] as const).map((what) => ({
    key: what,
    name: t(`rows.${what}`),
    before: before[what] === null ? '–' : formatCount(before[what]),
    after: formatCount(after[what] ?? 0),
  }));
  const share = (part: number, rest: number) =>
    part + rest === 0
      ? '–'
      : t('share', { part: formatCount(part), whole: formatCount(part + rest) });
  const kinds = report.kinds.map((each) => ({
    key: each.kind,
    name: t('rows.missed', { kind: t(`deadlines:kinds.${each.kind}`) }),
    before: share(each.missedBefore, each.metBefore),
    after: share(each.missedAfter, each.metAfter),
  }));
  return (
    <Compared
      label={t('compared')}
      first={t('figure')}
      rows={isDistribution ? [...waits, ...counts, ...kinds] : kinds}
    />
  );
}

/** How often a rule would have run; one that stands beside how often it did. */
function Runs({ report, isNew }: { report: RehearsalReport; isNew: boolean }) {
  const { t } = useTranslation('rehearsals');
  const { before, after, refused } = report.runs;
  return (
    <>
      {!isNew && (
        <Compared
          label={t('compared')}
          first={t('figure')}
          rows={[
            {
              key: 'runs',
              name: t('rows.runs'),
              before: formatCount(before),
              after: formatCount(after),
            },
          ]}
        />
      )}
      {refused > 0 && <chakra.p textStyle="sm">{t('refused', { count: refused })}</chakra.p>}
    </>
  );
}

function People({ report }: { report: RehearsalReport }) {
  const { t } = useTranslation('rehearsals');
  return (
    <Compared
      label={t('people')}
      first={t('people')}
      rows={report.people.map(({ userId, name, before, after }) => ({
        key: String(userId),
        name: name ?? t('somebody'),
        before: formatCount(before),
        after: formatCount(after),
      }))}
    />
  );
}

function Steps({ report }: { report: RehearsalReport }) {
  const { t } = useTranslation('rehearsals');
  if (report.deeds.length === 0) return <EmptyLine>{t('noSteps')}</EmptyLine>;
  return (
    <chakra.ul listStyleType="disc" textStyle="sm" ps="4" m="0">
      {report.deeds.map(({ id, count }) => (
        <chakra.li key={id}>{t('step', { number: id, count })}</chakra.li>
      ))}
    </chakra.ul>
  );
}

function Samples({ samples }: { samples: readonly RehearsalSample[] }) {
  const { t } = useTranslation('rehearsals');
  if (samples.length === 0) return <EmptyLine>{t('sameAsBefore')}</EmptyLine>;
  return (
    <chakra.section aria-label={t('samples')}>
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="1.5">
        {t('samples')}
      </chakra.h3>
      <chakra.ul
        listStyleType="none"
        m="0"
        p="0"
        maxH="320px"
        overflowY="auto"
        // A list that scrolls is reached by keys.
        tabIndex={0}
        aria-label={t('samples')}
      >
        {samples.map((sample, index) => (
          <chakra.li
            // A ticket may be there twice, with two of its cycles.
            key={`${sample.ticket.id} ${index}`}
            py="2"
            textStyle="sm"
            _notFirst={{ borderTopWidth: '1px' }}
          >
            <chakra.div
              fontWeight="medium"
              overflowWrap="anywhere"
              css={{
                '& a': {
                  color: 'brand.fg',
                  textDecoration: 'underline',
                  [touch]: { display: 'block', py: '3' },
                },
              }}
            >
              <Link to={`/tickets/${sample.ticket.uuid}`} target="_blank">
                {sample.ticket.contact.name}
              </Link>
            </chakra.div>
            <Sample sample={sample} />
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.section>
  );
}

function Sample({ sample }: { sample: RehearsalSample }) {
  const { t } = useTranslation(['rehearsals', 'deadlines']);
  const span = useSpan();
  const { before, after, at, bot } = sample;
  const kinds = (names: RehearsalSample['missedAfter']) =>
    names.map((kind) => t(`deadlines:kinds.${kind}`)).join(', ') || t('noneMissed');
  const side = (outcome: NonNullable<typeof before>) =>
    outcome.waitSeconds === null
      ? t('nobody')
      : t('outcome', {
          name: outcome.userName ?? t('somebody'),
          wait: span(outcome.waitSeconds),
          answer: span(outcome.answerSeconds),
        });
  const lines = bot
    ? botLines(bot, t)
    : at
      ? [t(sample.runs ? 'ranAt' : 'refusedAt', { at: formatDateTime(at), count: sample.runs })]
      : before && after
        ? [t('was', { what: side(before) }), t('would', { what: side(after) })]
        : [
            t('was', { what: kinds(sample.missedBefore) }),
            t('would', { what: kinds(sample.missedAfter) }),
          ];
  return lines.map((line) => (
    <chakra.p key={line} color="fg.muted">
      {line}
    </chakra.p>
  ));
}
