import { chakra } from '@chakra-ui/react';
import { CheckCheck, Eye, FileText, Image, Mic } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { CountBadge } from '@/components/Badge';
import { dataColours } from '@/theme/tokens';

interface Sample {
  name: string;
  text: string;
  icon?: ReactNode;
  time: string;
  unread?: number;
  tag: string;
  connection: string;
  queue: number;
  tagColour: number;
}

// Part of an illustration of the product, so these texts are not translated.
const SAMPLES: Sample[] = [
  {
    name: 'Fernanda Queiroz',
    text: 'Meu pedido ainda não chegou',
    time: '14:19',
    unread: 4,
    tag: 'Rastreio',
    connection: 'Loja Centro',
    queue: 2,
    tagColour: 2,
  },
  {
    name: 'Rodrigo Menezes',
    text: 'Comprovante_Pix.pdf',
    icon: <FileText size={15} />,
    time: '14:18',
    unread: 3,
    tag: 'Pix pendente',
    connection: 'Loja Centro',
    queue: 3,
    tagColour: 3,
  },
  {
    name: 'Dona Cida Bolos',
    text: 'Áudio · 0:41',
    icon: <Mic size={15} />,
    time: '14:11',
    unread: 1,
    tag: 'Atacado',
    connection: 'Vendas B2B',
    queue: 0,
    tagColour: 0,
  },
  {
    name: 'Ana Beatriz Figueiredo',
    text: 'Seu pedido saiu para entrega hoje, às 13h',
    icon: <ReadTick />,
    time: '13:57',
    tag: 'Recorrente',
    connection: 'Loja Centro',
    queue: 2,
    tagColour: 7,
  },
  {
    name: 'João Pedro Cavalcanti',
    text: 'Ficou linda na mesa!',
    icon: <Image size={15} />,
    time: '13:22',
    tag: 'Orçamento',
    connection: 'Loja Centro',
    queue: 0,
    tagColour: 6,
  },
  {
    name: 'Letícia Vasconcelos',
    text: 'O jogo americano combina com a toalha?',
    time: '12:46',
    unread: 2,
    tag: 'Orçamento',
    connection: 'Loja Centro',
    queue: 0,
    tagColour: 6,
  },
];

function ReadTick() {
  return (
    <chakra.span color="tick.read" display="inline-flex">
      <CheckCheck size={15} />
    </chakra.span>
  );
}

function Row({ sample }: { sample: Sample }) {
  const unread = sample.unread !== undefined;
  return (
    <chakra.div display="flex" gap="3" h="18" px="4" py="2" position="relative">
      <chakra.span
        position="absolute"
        insetStart="0"
        insetBlock="2"
        w="3px"
        borderEndRadius="full"
        style={{ backgroundColor: dataColours[sample.queue] }}
      />
      <chakra.span alignSelf="center" display="flex">
        <Avatar name={sample.name} />
      </chakra.span>
      <chakra.div flex="1" minW="0" borderBottomWidth="1px" mb="-2" me="-4" pe="4">
        <Line>
          <chakra.span truncate fontWeight={unread ? 'semibold' : 'medium'}>
            {sample.name}
          </chakra.span>
          <chakra.span
            textStyle="xs"
            fontVariantNumeric="tabular-nums"
            fontWeight={unread ? 'semibold' : 'normal'}
            color={unread ? 'brand.fg' : 'fg.muted'}
          >
            {sample.time}
          </chakra.span>
        </Line>
        <Line>
          <chakra.span
            truncate
            display="flex"
            alignItems="center"
            gap="1"
            textStyle="sm"
            color={unread ? 'fg.default' : 'fg.muted'}
            fontWeight={unread ? 'semibold' : 'normal'}
          >
            {sample.icon}
            {sample.text}
          </chakra.span>
          {unread && <CountBadge tone="brand" count={sample.unread} />}
        </Line>
        <Line>
          <chakra.span display="flex" alignItems="center" gap="1.5" textStyle="xs" color="fg.muted">
            <chakra.span
              w="1.5"
              h="1.5"
              borderRadius="1px"
              style={{ backgroundColor: dataColours[sample.tagColour] }}
            />
            {sample.tag}
          </chakra.span>
          <chakra.span display="flex" alignItems="center" gap="1.5" textStyle="xs" color="fg.muted">
            {sample.connection}
            <Eye size={15} />
          </chakra.span>
        </Line>
      </chakra.div>
    </chakra.div>
  );
}

const Line = chakra('div', {
  base: { display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: '2' },
});

function Bubble({ text, time, out = false }: { text: string; time: string; out?: boolean }) {
  return (
    <chakra.div
      alignSelf={out ? 'flex-end' : 'flex-start'}
      display="flex"
      alignItems="flex-end"
      gap="2"
      px="3"
      py="1.5"
      bg={out ? 'bubble.out' : 'bubble.in'}
      borderWidth="1px"
      borderColor={out ? 'bubble.out.border' : 'bubble.in.border'}
      borderRadius="lg"
      {...(out ? { borderTopEndRadius: 'xs' } : { borderTopStartRadius: 'xs' })}
    >
      {text}
      <chakra.span
        display="flex"
        alignItems="center"
        gap="1"
        textStyle="xs"
        fontVariantNumeric="tabular-nums"
        color={out ? 'bubble.out.meta' : 'fg.muted'}
      >
        {time}
        {out && <ReadTick />}
      </chakra.span>
    </chakra.div>
  );
}

/** An illustration of the product beside the login form, on wide screens. */
export function Showcase() {
  const { t } = useTranslation('session');
  return (
    <chakra.aside
      display={{ base: 'none', md: 'flex' }}
      flexDirection="column"
      justifyContent="center"
      gap="14"
      flex="1"
      minW="0"
      overflow="hidden"
      px={{ md: '8', lg: '18' }}
      css={{
        background:
          'radial-gradient(90% 80% at 80% 8%, #127887 0%, rgb(18 120 135 / 0%) 70%), radial-gradient(60% 60% at 18% 100%, #042a31 0%, rgb(4 42 49 / 0%) 80%), #0a4f5b',
      }}
    >
      <chakra.div aria-hidden position="relative" h="474px" maxW="724px" userSelect="none">
        <chakra.div
          w="380px"
          bg="bg.surface"
          borderRadius="lg"
          boxShadow="dialog"
          overflow="hidden"
        >
          {SAMPLES.map((sample) => (
            <Row key={sample.name} sample={sample} />
          ))}
        </chakra.div>
        <chakra.div
          position="absolute"
          insetEnd="0"
          bottom="0"
          w="466px"
          maxW="90%"
          p="5"
          display="flex"
          flexDirection="column"
          gap="2"
          bg="bg.thread"
          borderRadius="lg"
          boxShadow="dialog"
        >
          <Bubble text="Oi! Vocês têm a travessa azul de 30 cm?" time="14:21" />
          <Bubble out text="Temos sim, Fernanda! Separo uma para você?" time="14:21" />
          <Bubble text="Quero! Pode mandar o Pix 🙂" time="14:22" />
        </chakra.div>
      </chakra.div>
      <chakra.div maxW="480px" color="white">
        <chakra.p textStyle="2xl" fontWeight="semibold">
          {t('showcase.title')}
        </chakra.p>
        <chakra.p mt="3" lineHeight="22px" css={{ color: '#CFE5E8' }}>
          {t('showcase.text')}
        </chakra.p>
      </chakra.div>
    </chakra.aside>
  );
}
