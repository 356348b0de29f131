import { chakra } from '@chakra-ui/react';
import { List, Reply } from 'lucide-react';
import type { ReactNode } from 'react';

/** Customers read these texts, so they are Portuguese in every language. */
const ASKED = 'Com quem você quer falar?';
const CHOICES = ['Vendas', 'Entregas', 'Financeiro'];
const OPEN_LIST = 'Ver opções';

/** A small preview of the bot's menu in one of its three forms. */
export function MenuPreview({ type }: { type: 'text' | 'button' | 'list' }) {
  return (
    <chakra.span
      aria-hidden
      display="flex"
      flexDirection="column"
      alignItems="stretch"
      gap="1"
      p="2.5"
      minH={{ sm: '140px' }}
      borderRadius="sm"
      bg="bg.thread"
      textStyle="xs"
      color="fg.default"
    >
      <chakra.span
        display="block"
        px="2.5"
        py="1.5"
        borderWidth="1px"
        borderColor="bubble.in.border"
        borderRadius="md"
        borderTopStartRadius="xs"
        bg="bubble.in"
      >
        {ASKED}
        {type === 'text' &&
          CHOICES.map((choice, index) => (
            <chakra.span key={choice} display="flex" gap="2" mt="0.5">
              <chakra.span fontWeight="semibold">{index + 1}</chakra.span>
              {choice}
            </chakra.span>
          ))}
        {type === 'list' && (
          <chakra.span
            display="flex"
            alignItems="center"
            justifyContent="center"
            gap="1.5"
            mt="1.5"
            pt="1.5"
            borderTopWidth="1px"
            color="brand.fg"
            fontWeight="medium"
          >
            <List size={14} />
            {OPEN_LIST}
          </chakra.span>
        )}
      </chakra.span>
      {type === 'button' && CHOICES.map((choice) => <Pressed key={choice}>{choice}</Pressed>)}
    </chakra.span>
  );
}

function Pressed({ children }: { children: ReactNode }) {
  return (
    <chakra.span
      display="flex"
      alignItems="center"
      justifyContent="center"
      gap="1.5"
      py="1"
      borderWidth="1px"
      borderColor="bubble.in.border"
      borderRadius="md"
      bg="bubble.in"
      color="brand.fg"
      fontWeight="medium"
    >
      <Reply size={14} />
      {children}
    </chakra.span>
  );
}
