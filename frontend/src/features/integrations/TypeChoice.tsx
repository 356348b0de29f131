import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { TYPE_NAMES, TYPES } from './integrationTypes';
import type { IntegrationType } from './types';

interface TypeChoiceProps {
  value: IntegrationType;
  onChange: (type: IntegrationType) => void;
}

/** The types as tiles: radio buttons underneath, so arrows and screen readers know them. */
export function TypeChoice({ value, onChange }: TypeChoiceProps) {
  const { t } = useTranslation('integrations');
  const name = useId();
  return (
    <chakra.fieldset minW="0">
      <chakra.legend textStyle="sm" fontWeight="semibold" mb="1.5">
        {t('fields.type')}
      </chakra.legend>
      <chakra.div
        display="grid"
        gap="2"
        gridTemplateColumns={{ base: '1fr 1fr', sm: 'repeat(3, 1fr)' }}
      >
        {TYPE_NAMES.map((type) => {
          const Icon = TYPES[type];
          return (
            <chakra.label
              key={type}
              display="flex"
              alignItems="center"
              gap="2"
              minH="11"
              px="3"
              borderWidth="1px"
              borderRadius="md"
              borderColor="border.strong"
              textStyle="sm"
              fontWeight="medium"
              cursor="pointer"
              color="fg.muted"
              _hover={{ bg: 'bg.hover' }}
              css={{
                '&:has(:checked)': {
                  bg: 'brand.subtle',
                  borderColor: 'brand.fg',
                  color: 'brand.fg',
                },
                '&:has(:focus-visible)': {
                  outline: '2px solid',
                  outlineColor: 'brand.fg',
                  outlineOffset: '1px',
                },
              }}
            >
              <chakra.input
                type="radio"
                srOnly
                name={name}
                value={type}
                checked={value === type}
                onChange={() => onChange(type)}
              />
              <chakra.span flexShrink="0">
                <Icon size={20} aria-hidden />
              </chakra.span>
              <chakra.span minW="0" overflowWrap="anywhere">
                {t(`types.${type}.name`)}
              </chakra.span>
            </chakra.label>
          );
        })}
      </chakra.div>
      <chakra.p mt="2" textStyle="xs" color="fg.muted" role="status">
        {t(`types.${value}.hint`)}
      </chakra.p>
    </chakra.fieldset>
  );
}
