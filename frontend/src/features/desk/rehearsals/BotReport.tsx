import { chakra } from '@chakra-ui/react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import { Compared } from './Compared';
import type { RehearsalBot, RehearsalBotSample } from './types';

type Translate = TFunction<['rehearsals', 'deadlines']>;
type Outcome = RehearsalBotSample['before'];

const REASONS = ['integration', 'prompt', 'unseen', 'elsewhere'] as const;

/** The bot's figures by today's menu and by the new one. */
export function BotFigures({ bot }: { bot: RehearsalBot }) {
  const { t } = useTranslation('rehearsals');
  const { before, after, queues, nodes } = bot;
  const heads = [t('bot.before'), t('bot.after')] as const;
  const placeOf = usePlace();
  const counts = (['began', 'people', 'inBot', 'stopped'] as const).map((what) => ({
    key: what,
    name: t(`bot.rows.${what}`),
    before: formatCount(before[what]),
    after: formatCount(after[what]),
  }));
  const undecided = REASONS.filter((why) => before.undecided[why] + after.undecided[why] > 0).map(
    (why) => ({
      key: why,
      name: t(`bot.rows.${why}`),
      before: formatCount(before.undecided[why]),
      after: formatCount(after.undecided[why]),
    }),
  );
  const steps = {
    key: 'steps',
    name: t('bot.rows.steps'),
    before: before.steps === null ? '–' : formatCount(before.steps),
    after: after.steps === null ? '–' : formatCount(after.steps),
  };
  const stops = nodes.filter(({ stoppedBefore, stoppedAfter }) => stoppedBefore + stoppedAfter > 0);
  const unseen = nodes.filter((node) => node.unseen > 0);
  return (
    <>
      <Compared
        label={t('compared')}
        first={t('figure')}
        heads={heads}
        rows={[...counts, ...undecided, steps]}
      />
      {queues.length > 0 && (
        <Compared
          label={t('bot.queues')}
          first={t('bot.queues')}
          heads={heads}
          rows={queues.map(({ queueId, queueName, ...side }) => ({
            key: String(queueId),
            name: queueName ?? t(queueId === null ? 'bot.noQueue' : 'bot.goneQueue'),
            before: formatCount(side.before),
            after: formatCount(side.after),
          }))}
        />
      )}
      {stops.length > 0 && (
        <Compared
          label={t('bot.stops')}
          first={t('bot.stops')}
          heads={heads}
          rows={stops.map((node) => ({
            key: placeOf(node),
            name: placeOf(node),
            before: formatCount(node.stoppedBefore),
            after: formatCount(node.stoppedAfter),
          }))}
        />
      )}
      {unseen.length > 0 && (
        <chakra.ul listStyleType="disc" textStyle="sm" ps="4" m="0">
          {unseen.map((node) => (
            <chakra.li key={placeOf(node)} overflowWrap="anywhere">
              {t('bot.unseen', {
                count: node.unseen,
                shown: formatCount(node.unseen),
                place: placeOf(node),
              })}
            </chakra.li>
          ))}
        </chakra.ul>
      )}
    </>
  );
}

type Place = NonNullable<Outcome['node']>;

function usePlace() {
  const { t } = useTranslation('rehearsals');
  return (node: Place) => placeIn(node, t);
}

/** Where in the menus something is: the queue, and the titles that lead there. */
function placeIn({ queueId, queueName, path }: Place, t: Translate | TFunction<'rehearsals'>) {
  if (queueId === null) return t('rehearsals:bot.mainMenu');
  const queue = queueName ?? t('rehearsals:bot.goneQueue');
  return path ? `${queue} › ${path}` : queue;
}

/** What would become of a conversation by both menus. */
export function botLines({ before, after }: RehearsalBotSample, t: Translate) {
  const words = ({ end, queueId, queueName, steps, unknown, node }: Outcome) => {
    if (end === 'people')
      return t('bot.ends.people', {
        count: steps ?? 0,
        queue: queueName ?? t(queueId === null ? 'bot.noQueue' : 'bot.goneQueue'),
      });
    if (end === 'undecided' && unknown) {
      const why = t(`bot.why.${unknown}`);
      return node ? `${why}: ${placeIn(node, t)}` : why;
    }
    if (end === 'bot')
      return node ? t('bot.ends.stopped', { place: placeIn(node, t) }) : t('bot.ends.bot');
    return t('bot.ends.not_begun');
  };
  return [`${t('bot.before')}: ${words(before)}`, `${t('bot.after')}: ${words(after)}`];
}
