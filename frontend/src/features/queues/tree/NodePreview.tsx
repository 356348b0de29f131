import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { SAMPLE } from '@/components/MessagePreview';
import { useSetting } from '@/features/settings/api';
import { fillVariables, variablesFor } from '@/lib/variables';
import { BotBubble, EffectLine } from '../BotBubble';
import { hasOwnField, type OptionDraft } from '../drafts';
import { shownFile } from '../files';
import type { Queue } from '../types';
import { QUESTIONS, silenceOf, summaryOf } from './parts';

/**
 * The server's lines below a menu. Contacts read them, so they are Portuguese in every language.
 */
const WAYS_BACK = ['*0* - Voltar', '*#* - Menu principal'];

/** The message for a contact who chooses the node. */
export function NodePreview({ node, queues }: { node: OptionDraft; queues: readonly Queue[] }) {
  const { t } = useTranslation('queueBot');
  const [now] = useState(() => new Date());
  const timeZone = useSetting('timeZone') || 'America/Sao_Paulo';
  const { kind, queue } = summaryOf(node, queues);
  const entries = node.children.map(
    ({ title }, index) => `*${index + 1}* - ${title.trim() || '…'}`,
  );
  const menu =
    kind === 'options' || node.asks ? ['', ...(node.asks ? [] : entries), ...WAYS_BACK] : [];
  const silent = node.asks ? QUESTIONS[node.asks] : kind === 'options' ? node.title.trim() : '';
  const own = node.message.trim() || silent;
  const file = shownFile(node.file);
  // A menu or a question cannot carry a file, so the file is sent before it.
  const isBefore = kind === 'options' || node.asks !== '';
  const values = variablesFor({ ...SAMPLE, now, timeZone });
  const text = [fillVariables(own, values), ...menu].join('\n').trim();
  return (
    <chakra.section
      aria-label={t('editor.preview')}
      display="flex"
      flexDirection="column"
      alignItems="flex-start"
      gap="2"
      p="3"
      borderRadius="md"
      borderWidth="1px"
      bg="bg.thread"
    >
      {file && isBefore && <BotBubble text="" file={file} />}
      {text || (file && !isBefore) ? (
        <BotBubble text={text} file={isBefore ? null : file} />
      ) : (
        <chakra.p textStyle="xs" color="fg.muted">
          {t(silenceOf(node) ?? 'editor.silentPerson')}
        </chakra.p>
      )}
      {node.asks && (
        <>
          <EffectLine kind="value">
            {t('asks.kept', {
              name:
                node.asksField.trim() ||
                t(`asks.own.${hasOwnField(node.asks) ? node.asks : 'name'}`),
            })}
          </EffectLine>
          {kind === 'options' && (
            <BotBubble text={[node.title.trim(), '', ...entries, ...WAYS_BACK].join('\n')} />
          )}
        </>
      )}
      {kind === 'queue' && (
        <EffectLine kind="queue">
          <Trans
            t={t}
            i18nKey="effects.queue"
            values={{ queue: queue?.name ?? t('goneQueue') }}
            components={{ b: <strong /> }}
          />
        </EffectLine>
      )}
      {kind === 'person' && <EffectLine kind="person">{t('effects.leaf')}</EffectLine>}
    </chakra.section>
  );
}
