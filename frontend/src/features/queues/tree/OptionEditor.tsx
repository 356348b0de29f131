import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CornerDownLeft, Eye, EyeOff, ListTree, Plus, TriangleAlert } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { useInsertion, VariableChips } from '@/components/VariableChips';
import { tagsQuery } from '@/features/tags/api';
import { useErrorText } from '@/lib/useErrorText';
import { MAX_DEPTH, MAX_TEXT, MAX_TITLE, type OptionDraft, type OptionField } from '../drafts';
import type { Queue } from '../types';
import { AskedTogether } from './AskedTogether';
import { AskedValue } from './AskedValue';
import { NodePreview } from './NodePreview';
import { OptionFile } from './OptionFile';
import { INDENT, QUESTIONS, QueueDot, silenceOf } from './parts';
import type { TreeCommands } from './useTree';

interface EditorProps {
  node: OptionDraft;
  level: number;
  queues: readonly Queue[];
  currentQueueId: number | null;
  errors: Partial<Record<OptionField, string>> | undefined;
  commands: TreeCommands;
}

/** A node's fields, under its line. */
export function OptionEditor({
  node,
  level,
  queues,
  currentQueueId,
  errors,
  commands,
}: EditorProps) {
  const { t } = useTranslation('queueBot');
  const errorText = useErrorText();
  const [previewing, setPreviewing] = useState(false);
  const { areaRef, insert } = useInsertion(node.message, (message) =>
    commands.change(node.key, { message }),
  );

  const silence = silenceOf(node);

  const onTitleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    // The surrounding dialog is a form: Enter adds the next option instead of submitting it.
    event.preventDefault();
    if (node.title.trim()) commands.addAfter(node.key);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    commands.edit(null);
  };

  return (
    <chakra.div
      role="group"
      data-own-escape
      // On a narrow screen it takes the whole width and covers the guide lines.
      position="relative"
      zIndex={{ base: '2', sm: '0' }}
      aria-label={t('editor.label', { title: node.title.trim() || t('untitled') })}
      display="flex"
      flexDirection="column"
      gap="3"
      py="3"
      pe={{ base: '3', sm: '4' }}
      bg="bg.canvas"
      borderTopWidth="1px"
      css={{ paddingInlineStart: { base: '12px', sm: `${20 + level * INDENT}px` } }}
      onKeyDown={onKeyDown}
    >
      <chakra.div display="grid" gridTemplateColumns={{ base: '1fr', sm: '2fr 3fr' }} gap="3">
        <Field label={t('editor.title')} error={errorText(errors?.title)} required>
          <TextInput
            value={node.title}
            maxLength={MAX_TITLE}
            autoComplete="off"
            placeholder={t('editor.titleExample')}
            onChange={(event) => commands.change(node.key, { title: event.target.value })}
            onKeyDown={onTitleKey}
          />
        </Field>
        {node.children.length > 0 ? (
          <ShowsOptions count={node.children.length} error={errorText(errors?.children)} />
        ) : (
          <AfterAnswer
            node={node}
            queues={queues}
            currentQueueId={currentQueueId}
            error={errorText(errors?.redirectionQueueId ?? errors?.children)}
            commands={commands}
          />
        )}
      </chakra.div>
      <Field
        label={t(node.asks ? 'asks.question' : 'editor.message')}
        error={errorText(errors?.message)}
        help={
          silence ? (
            <Warning>{t(silence, { question: node.asks && QUESTIONS[node.asks] })}</Warning>
          ) : (
            t('editor.linkHelp')
          )
        }
      >
        <TextArea
          ref={areaRef}
          rows={Math.min(6, Math.max(2, node.message.split('\n').length))}
          maxLength={MAX_TEXT}
          value={node.message}
          placeholder={
            node.asks
              ? QUESTIONS[node.asks]
              : t(node.children.length > 0 ? 'editor.menuExample' : 'editor.answerExample')
          }
          onChange={(event) => commands.change(node.key, { message: event.target.value })}
        />
      </Field>
      <VariableChips onPick={insert} />
      <OptionFile node={node} commands={commands} />
      <AskedValue
        node={node}
        errors={{ asks: errorText(errors?.asks), asksField: errorText(errors?.asksField) }}
        commands={commands}
      />
      <AskedTogether node={node} queueId={currentQueueId} commands={commands} />
      <TagChoice node={node} error={errorText(errors?.tagId)} commands={commands} />
      <chakra.div display="flex" flexWrap="wrap" gap="2" alignItems="center">
        {level < MAX_DEPTH && (
          <Button
            size="sm"
            variant="outline"
            icon={<Plus size={16} />}
            onClick={() => commands.addInside(node.key)}
          >
            {t('actions.addInside')}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={previewing ? <EyeOff size={16} /> : <Eye size={16} />}
          aria-expanded={previewing}
          onClick={() => setPreviewing(!previewing)}
        >
          {t('editor.preview')}
        </Button>
        <chakra.span
          hideBelow="sm"
          ms="auto"
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          textStyle="xs"
          color="fg.muted"
        >
          <CornerDownLeft size={14} aria-hidden />
          {t('editor.enterHint')}
        </chakra.span>
      </chakra.div>
      {previewing && <NodePreview node={node} queues={queues} />}
    </chakra.div>
  );
}

/** A warning for a leaf without text: the bot still answers with a default text. */
function Warning({ children }: { children: ReactNode }) {
  return (
    <chakra.span display="inline-flex" alignItems="start" gap="1.5" color="status.waiting.fg">
      <chakra.span display="flex" flexShrink="0" mt="0.5">
        <TriangleAlert size={14} aria-hidden />
      </chakra.span>
      {children}
    </chakra.span>
  );
}

/** A node with child options shows them next. */
function ShowsOptions({ count, error }: { count: number; error: string | undefined }) {
  const { t } = useTranslation('queueBot');
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" minW="0">
      <chakra.span textStyle="sm" fontWeight="semibold">
        {t('editor.after')}
      </chakra.span>
      <chakra.span
        display="flex"
        alignItems="center"
        gap="2"
        h="9"
        px="3"
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
        textStyle="sm"
        color="fg.muted"
      >
        <ListTree size={16} aria-hidden />
        {t('editor.showsOptions', { count })}
      </chakra.span>
      {error && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg">
          {error}
        </chakra.p>
      )}
    </chakra.div>
  );
}

interface TagChoiceProps {
  node: OptionDraft;
  error: string | undefined;
  commands: TreeCommands;
}

/** The tag for tickets of contacts who choose the option; hidden if the company has no tags. */
function TagChoice({ node: { key, tagId }, error, commands }: TagChoiceProps) {
  const { t } = useTranslation('queueBot');
  const { data: tags } = useQuery(tagsQuery());
  if (tagId === null && !tags?.length) return null;
  const isGone = tagId !== null && tags !== undefined && !tags.some(({ id }) => id === tagId);
  return (
    <Field label={t('editor.tag')} help={t('editor.tagHelp')} error={error}>
      <Select
        value={tagId ?? ''}
        placeholder={t('editor.noTag')}
        options={[
          ...(tags ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
          ...(isGone ? [{ value: String(tagId), label: t('goneTag') }] : []),
        ]}
        onChange={({ target }) =>
          commands.change(key, { tagId: target.value === '' ? null : Number(target.value) })
        }
      />
    </Field>
  );
}

interface AfterAnswerProps {
  node: OptionDraft;
  queues: readonly Queue[];
  currentQueueId: number | null;
  error: string | undefined;
  commands: TreeCommands;
}

function AfterAnswer({ node, queues, currentQueueId, error, commands }: AfterAnswerProps) {
  const { t } = useTranslation('queueBot');
  const { redirectionQueueId } = node;
  const chosen = queues.find(({ id }) => id === redirectionQueueId);
  const isGone = redirectionQueueId !== null && !chosen;
  // A menu must not lead to itself; a stored choice that does is still shown.
  const offered = queues.filter(({ id }) => id !== currentQueueId || id === redirectionQueueId);
  return (
    <Field label={t('editor.after')} error={error}>
      <chakra.div position="relative">
        {redirectionQueueId !== null && (
          <chakra.span
            position="absolute"
            insetBlock="0"
            insetStart="3"
            zIndex="1"
            display="flex"
            alignItems="center"
            pointerEvents="none"
          >
            <QueueDot colour={chosen?.color} />
          </chakra.span>
        )}
        <Select
          {...(redirectionQueueId !== null && { ps: '7' })}
          value={redirectionQueueId ?? ''}
          placeholder={t('editor.person')}
          options={[
            ...offered.map(({ id, name }) => ({
              value: String(id),
              label: t('editor.transferTo', { queue: name }),
            })),
            ...(isGone ? [{ value: String(redirectionQueueId), label: t('goneQueue') }] : []),
          ]}
          onChange={({ target }) =>
            commands.change(node.key, {
              redirectionQueueId: target.value === '' ? null : Number(target.value),
            })
          }
        />
      </chakra.div>
    </Field>
  );
}
