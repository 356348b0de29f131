import { chakra } from '@chakra-ui/react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { showFieldErrors } from '@/lib/forms';
import { useReason } from '@/lib/useReason';
import { useTestSession } from './api';
import { bodyOf, type IntegrationForm } from './schemas';
import { TestSection } from './TestSection';

interface TestSessionProps {
  form: UseFormReturn<IntegrationForm>;
  /** The integration whose stored secrets are used if none are typed. */
  integrationId: number | undefined;
}

const NAMES = {
  projectName: 'projectName',
  jsonContent: 'jsonContent',
  urlN8N: 'urlN8N',
  typebotSlug: 'typebotSlug',
} as const;
// The labels of the button and the result, for types other than a ping.
const WORDS: Partial<Record<IntegrationForm['type'], [action: string, succeeded: string]>> = {
  dialogflow: ['test.action', 'test.succeeded'],
  typebot: ['test.flow', 'test.flowSucceeded'],
  asaas: ['test.token', 'test.passed'],
};

/** Tests the form's values before they are saved, and shows the answer. */
export function TestSession({ form, integrationId }: TestSessionProps) {
  const { t } = useTranslation('integrations');
  const test = useTestSession();
  const reason = useReason();
  const [action, succeeded] = WORDS[form.watch('type')] ?? ['test.ping', 'test.passed'];
  const run = () => {
    test.mutate(
      { ...bodyOf(form.getValues()), ...(integrationId && { integrationId }) },
      {
        onError: (error) => {
          showFieldErrors(form, error, NAMES);
        },
      },
    );
  };
  const { messages = [], reasonCode = '', reasonDetail = '' } = test.data ?? {};
  return (
    <TestSection
      action={t(action)}
      test={test}
      onRun={run}
      outcome={
        test.data && { ok: true, text: messages.length > 0 ? t(succeeded) : t('test.silent') }
      }
    >
      {messages.map((message, index) => (
        <chakra.p
          key={index}
          justifySelf="start"
          maxW="full"
          px="3"
          py="1.5"
          bg="bubble.in"
          borderWidth="1px"
          borderColor="bubble.in.border"
          borderRadius="lg"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {/* The server's own messages are translated; a flow's texts are not. */}
          {reason({ reasonCode, reasonDetail }, message)}
        </chakra.p>
      ))}
    </TestSection>
  );
}
