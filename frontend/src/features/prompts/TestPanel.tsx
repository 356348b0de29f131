import { chakra } from '@chakra-ui/react';
import { FlaskConical, RotateCcw, SendHorizontal, UserRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { TextInput } from '@/components/TextInput';
import { formatCount } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { useTestPrompt } from './api';
import { answered, asked, type TestLine } from './testLines';
import type { PromptInput } from './types';

interface TestPanelProps {
  /** The form as a request body; null if it has errors, which are then shown. */
  draft: () => Promise<PromptInput | null>;
  /** The stored prompt whose keys are used if none is typed. */
  promptId: number | undefined;
  /** Shows a refusal at the form's fields; returns whether a field matched. */
  onRefused: (error: unknown) => boolean;
}

/** A test conversation with the unsaved prompt. */
export function TestPanel({ draft, promptId, onRefused }: TestPanelProps) {
  const { t } = useTranslation('prompts');
  const [lines, setLines] = useState<readonly TestLine[]>([]);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const test = useTestPrompt();
  const end = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const handedOver = lines.at(-1)?.kind === 'handOver';

  useEffect(() => {
    if (lines.length > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [lines, test.isPending]);

  const restart = () => {
    setLines([]);
    setProblem('');
    input.current?.focus();
  };

  const send = async () => {
    const said = text.trim();
    if (!said || test.isPending || handedOver) return;
    setProblem('');
    const body = await draft();
    if (!body) {
      setProblem(t('test.faults'));
      return;
    }
    const question = asked(lines, said);
    setLines(question.lines);
    setText('');
    test.mutate(
      { ...body, messages: question.messages, ...(promptId !== undefined && { promptId }) },
      {
        onSuccess: (answer) => setLines(answered(question.lines, answer)),
        onError: (error) => {
          // The question goes back to the input, to be asked again.
          setLines(lines);
          setText(said);
          setProblem(onRefused(error) ? t('test.faults') : errorMessage(error));
        },
        onSettled: () => input.current?.focus(),
      },
    );
  };

  return (
    <chakra.section
      aria-label={t('test.title')}
      display="flex"
      flexDirection="column"
      minH={{ base: '320px', md: '0' }}
      h="full"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
      bg="bg.thread"
    >
      <chakra.header
        display="flex"
        alignItems="center"
        gap="2"
        h="11"
        ps="4"
        pe="2"
        bg="bg.surface"
        borderBottomWidth="1px"
      >
        <FlaskConical size={16} aria-hidden />
        <chakra.h3 flex="1" textStyle="sm" fontWeight="semibold">
          {t('test.title')}
        </chakra.h3>
        {lines.length > 0 && (
          <IconButton
            label={t('test.restart')}
            size="sm"
            icon={<RotateCcw size={16} />}
            onClick={restart}
          />
        )}
      </chakra.header>
      <chakra.div
        role="log"
        aria-label={t('test.log')}
        tabIndex={0}
        flex="1"
        minH="0"
        overflowY="auto"
        p="3"
        display="flex"
        flexDirection="column"
        gap="2"
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
      >
        {lines.length === 0 && (
          <chakra.p textStyle="sm" color="fg.muted" textAlign="center" m="auto" maxW="30ch">
            {t('test.empty')}
          </chakra.p>
        )}
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
        {test.isPending && (
          <chakra.p role="status" textStyle="xs" color="fg.muted">
            {t('test.thinking')}
          </chakra.p>
        )}
        <div ref={end} />
      </chakra.div>
      {problem && (
        <chakra.p
          role="alert"
          px="3"
          py="2"
          textStyle="xs"
          color="status.danger.fg"
          bg="status.danger.subtle"
          overflowWrap="anywhere"
        >
          {problem}
        </chakra.p>
      )}
      <chakra.div display="flex" gap="2" p="2" bg="bg.surface" borderTopWidth="1px">
        <TextInput
          ref={input}
          aria-label={t('test.input')}
          placeholder={handedOver ? t('test.over') : t('test.placeholder')}
          autoComplete="off"
          maxLength={4096}
          value={text}
          disabled={handedOver}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            // Enter must not submit the surrounding form.
            event.preventDefault();
            void send();
          }}
        />
        <IconButton
          label={t('test.send')}
          icon={<SendHorizontal size={16} />}
          disabled={!text.trim() || test.isPending || handedOver}
          onClick={() => void send()}
        />
      </chakra.div>
    </chakra.section>
  );
}

function Line({ line }: { line: TestLine }) {
  const { t } = useTranslation('prompts');
  if (line.kind === 'handOver')
    return (
      <chakra.p
        display="inline-flex"
        alignItems="center"
        alignSelf="center"
        gap="1.5"
        px="2.5"
        py="1"
        borderRadius="full"
        bg="status.waiting.subtle"
        color="status.waiting.fg"
        textStyle="xs"
      >
        <UserRound size={14} aria-hidden />
        {t('test.handOver')}
      </chakra.p>
    );
  if (line.kind === 'cost')
    return (
      <chakra.p textStyle="xs" color="fg.muted" alignSelf="flex-end">
        {t('test.cost', {
          count: line.tokens,
          tokens: formatCount(line.tokens),
          seconds: line.seconds.toLocaleString(undefined, { maximumFractionDigits: 1 }),
          model: line.model,
        })}
      </chakra.p>
    );
  const ours = line.kind === 'model';
  return (
    <chakra.p
      alignSelf={ours ? 'flex-end' : 'flex-start'}
      maxW="88%"
      px="3"
      py="1.5"
      borderRadius="lg"
      borderWidth="1px"
      bg={ours ? 'bubble.out' : 'bubble.in'}
      borderColor={ours ? 'bubble.out.border' : 'bubble.in.border'}
      textStyle="md"
      whiteSpace="pre-wrap"
      overflowWrap="anywhere"
    >
      <chakra.span srOnly>{t(ours ? 'test.model' : 'test.contact')}: </chakra.span>
      {line.text}
    </chakra.p>
  );
}
