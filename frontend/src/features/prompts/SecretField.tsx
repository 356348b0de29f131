import { chakra } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { PasswordInput } from '@/components/TextInput';

interface SecretFieldProps {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  required?: boolean;
  /** Whether a key is stored: its mask is shown until the user changes it. */
  isStored: boolean;
  /** Discards the typed key, so that the stored one is kept. */
  onKeep: () => void;
  registration: UseFormRegisterReturn;
}

/** A key that is never shown again: a mask, and a button to enter another one. */
export function SecretField({ isStored, onKeep, registration, ...props }: SecretFieldProps) {
  const { t } = useTranslation(['prompts', 'common']);
  const [isChanging, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const wasChanging = useRef(false);
  const isMasked = isStored && !isChanging && !props.error;

  useEffect(() => {
    if (wasChanging.current && !isChanging) change.current?.focus();
    wasChanging.current = isChanging;
  }, [isChanging]);

  if (isMasked)
    return (
      <chakra.div display="flex" flexDirection="column" gap="1.5" minW="0">
        <chakra.span textStyle="sm" fontWeight="semibold">
          {props.label}
        </chakra.span>
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2"
          h="9"
          ps="3"
          pe="0.5"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
          bg="bg.subtle"
        >
          <KeyRound size={16} aria-hidden />
          <chakra.span flex="1" letterSpacing="0.1em" aria-label={t('secret.stored')} role="img">
            ••••••••
          </chakra.span>
          <Button
            ref={change}
            variant="ghost"
            size="sm"
            aria-label={t('secret.changeOf', { name: props.label })}
            onClick={() => setChanging(true)}
          >
            {t('secret.change')}
          </Button>
        </chakra.div>
        {props.help && (
          <chakra.p textStyle="xs" color="fg.muted">
            {props.help}
          </chakra.p>
        )}
      </chakra.div>
    );

  return (
    <Field
      {...props}
      help={isStored ? t('secret.keepHelp') : props.help}
      aside={
        isStored &&
        isChanging && (
          <chakra.button
            type="button"
            textStyle="xs"
            color="brand.fg"
            cursor="pointer"
            _hover={{ textDecoration: 'underline' }}
            _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
            onClick={() => {
              onKeep();
              setChanging(false);
            }}
          >
            {t('secret.keep')}
          </chakra.button>
        )
      }
    >
      <PasswordInput
        autoFocus={isChanging}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        {...registration}
      />
    </Field>
  );
}
