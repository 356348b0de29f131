import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface ResetFormProps {
  text: ReactNode;
  onSubmit: () => void;
  children: ReactNode;
}

/** The frame of a step: title, explanation and its fields. */
export function ResetForm({ text, onSubmit, children }: ResetFormProps) {
  const { t } = useTranslation('passwordReset');
  return (
    <chakra.form
      w="full"
      maxW="360px"
      display="flex"
      flexDirection="column"
      gap="6"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <chakra.div mb="2">
        <chakra.h1 textStyle="2xl" fontWeight="semibold">
          {t('title')}
        </chakra.h1>
        <chakra.p mt="1" color="fg.muted" overflowWrap="anywhere">
          {text}
        </chakra.p>
      </chakra.div>
      {children}
    </chakra.form>
  );
}
