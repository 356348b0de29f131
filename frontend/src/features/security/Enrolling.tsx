import { chakra } from '@chakra-ui/react';
import { QRCodeSVG } from 'qrcode.react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { useErrorText } from '@/lib/useErrorText';
import { useConfirmTwoFactor, type Enrolment } from './api';

const CODE_PX = 176;

interface EnrollingProps {
  enrolment: Enrolment;
  /** Called with the recovery codes. */
  onConfirmed: (codes: string[]) => void;
  onCancel: () => void;
}

/** Shows the secret for an authenticator app, and confirms it with a code of the app. */
export function Enrolling({ enrolment, onConfirmed, onCancel }: EnrollingProps) {
  const { t } = useTranslation(['security', 'common']);
  const confirm = useConfirmTwoFactor();
  const form = useForm({ defaultValues: { code: '' } });
  const errorText = useErrorText();
  const send = form.handleSubmit(async ({ code }) => {
    try {
      onConfirmed((await confirm.mutateAsync(code)).recoveryCodes);
    } catch (error) {
      showRefusal(form, error);
      form.setFocus('code', { shouldSelect: true });
    }
  });
  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => void send(event)}
    >
      <chakra.p textStyle="sm">{t('enrolling.scan')}</chakra.p>
      <chakra.div
        alignSelf="center"
        p="4"
        borderRadius="lg"
        borderWidth="1px"
        // Scanners need a dark code on a light background, in both themes.
        bg="white"
        color="black"
      >
        <QRCodeSVG
          value={enrolment.address}
          size={CODE_PX}
          fgColor="currentColor"
          bgColor="transparent"
          title={t('enrolling.picture')}
          role="img"
        />
      </chakra.div>
      <chakra.div>
        <chakra.p mb="1.5" textStyle="sm" color="fg.muted">
          {t('enrolling.type')}
        </chakra.p>
        <CopyLine text={enrolment.secret} label={t('enrolling.copy')} />
      </chakra.div>
      <Field label={t('enrolling.code')} error={errorText(form.formState.errors.code?.message)}>
        <TextInput
          autoFocus
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          {...form.register('code', { required: 'security:enrolling.codeRequired' })}
        />
      </Field>
      <chakra.div display="flex" justifyContent="flex-end" gap="2">
        <Button variant="outline" onClick={onCancel}>
          {t('common:actions.cancel')}
        </Button>
        <Button type="submit" loading={confirm.isPending}>
          {t('enrolling.confirm')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
