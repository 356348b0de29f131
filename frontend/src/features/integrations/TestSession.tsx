import { chakra } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { showFieldErrors } from '@/lib/forms';
import { errorMessage } from '@/lib/toast';
import { useTestSession } from './api';
import type { IntegrationForm } from './schemas';

interface TestSessionProps {
  form: UseFormReturn<IntegrationForm>;
  /** Whose stored key is meant while none is typed. */
  integrationId: number | undefined;
}

/** Says hello to the agent and shows what it answers, before anything is saved. */
export function TestSession({ form, integrationId }: TestSessionProps) {
  const { t } = useTranslation('integrations');
  const test = useTestSession();
  const run = () => {
    const { projectName, jsonContent, language } = form.getValues();
    test.mutate(
      { projectName, jsonContent, language, ...(integrationId && { integrationId }) },
      {
        onError: (error) => {
          const names = { projectName: 'projectName', jsonContent: 'jsonContent' } as const;
          showFieldErrors(form, error, names);
        },
      },
    );
  };
  const messages = test.data?.messages ?? [];
  return (
    <chakra.div display="flex" flexDirection="column" gap="3" alignItems="flex-start">
      <Button
        variant="outline"
        size="sm"
        icon={<FlaskConical size={16} />}
        loading={test.isPending}
        onClick={run}
      >
        {t('test.action')}
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
              {messages.length > 0 ? t('test.succeeded') : t('test.silent')}
            </chakra.p>
            {messages.map((message, index) => (
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
