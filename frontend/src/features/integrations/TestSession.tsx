import { chakra } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { showFieldErrors } from '@/lib/forms';
import { errorMessage } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { useTestSession } from './api';
import { bodyOf, type IntegrationForm } from './schemas';

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
  // The server's own messages are translated; a flow's texts are not.
  const shown = messages.map((message) => reason({ reasonCode, reasonDetail }, message));
  return (
    <chakra.div display="flex" flexDirection="column" gap="3" alignItems="flex-start">
      <Button
        variant="outline"
        size="sm"
        icon={<FlaskConical size={16} />}
        loading={test.isPending}
        onClick={run}
      >
        {t(action)}
      </Button>
      <chakra.div role="status" w="full" textStyle="sm">
        {test.isError && (
          <chakra.p color="status.danger.fg" overflowWrap="anywhere">
            {errorMessage(test.error)}
          </chakra.p>
        )}
        {test.isSuccess && (
          <chakra.div display="flex" flexDirection="column" gap="2" alignItems="flex-start">
            <chakra.p color="status.live.fg" fontWeight="medium">
              {messages.length > 0 ? t(succeeded) : t('test.silent')}
            </chakra.p>
            {shown.map((message, index) => (
              <chakra.p
                key={index}
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
                {message}
              </chakra.p>
            ))}
          </chakra.div>
        )}
      </chakra.div>
    </chakra.div>
  );
}
