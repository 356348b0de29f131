import { chakra } from '@chakra-ui/react';

/** A part of the settings page. */
export const SettingsCard = chakra('section', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    gap: '4',
    p: '5',
    bg: 'bg.surface',
    borderWidth: '1px',
    borderRadius: 'md',
  },
});
