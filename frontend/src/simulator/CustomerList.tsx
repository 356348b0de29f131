import { chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { SkeletonRows } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { formatLastMessageTime, formatPhone } from '@/lib/format';
import { plainText } from '@/lib/markup';
import { foldLetters } from '@/lib/search';
import { toast } from '@/lib/toast';
import { post, useAct, type Customer } from './api';

interface Props {
  customers: Customer[] | undefined;
  number: string;
  selected: string;
  onSelect: (waId: string) => void;
}

/** All simulated customers, latest conversation first, and a form that adds one. */
export function CustomerList({ customers, number, selected, onSelect }: Props) {
  const { t } = useTranslation('simulator');
  const [text, setText] = useState('');
  const [adding, setAdding] = useState(false);
  const shown = customers?.filter(({ name, waId }) =>
    foldLetters(`${name} ${waId}`).includes(foldLetters(text)),
  );
  return (
    <>
      <chakra.div display="flex" gap="2" p="3" borderBottomWidth="1px">
        <TextInput
          size="sm"
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <IconButton
          size="sm"
          variant="solid"
          label={t('newCustomer.title')}
          icon={<Plus size={16} />}
          aria-expanded={adding}
          onClick={() => setAdding(!adding)}
        />
      </chakra.div>
      {adding && (
        <NewCustomer
          number={number}
          onDone={(waId) => {
            setAdding(false);
            onSelect(waId);
          }}
        />
      )}
      <chakra.ul flex="1" overflowY="auto" aria-label={t('customers')} data-testid="customers">
        {!shown && <SkeletonRows />}
        {shown?.length === 0 && (
          <chakra.li p="6" textAlign="center" color="fg.muted">
            {t('noCustomer')}
          </chakra.li>
        )}
        {shown?.map((customer) => (
          <chakra.li key={customer.waId}>
            <Row
              customer={customer}
              selected={customer.waId === selected}
              onSelect={() => onSelect(customer.waId)}
            />
          </chakra.li>
        ))}
      </chakra.ul>
    </>
  );
}

function Row(props: { customer: Customer; selected: boolean; onSelect: () => void }) {
  const { t } = useTranslation('simulator');
  const { customer, selected } = props;
  const kind = customer.lastType ? t(`kinds.${customer.lastType}`, { defaultValue: '' }) : '';
  const preview = plainText(customer.lastText) || kind || formatPhone(customer.waId);
  return (
    <chakra.button
      type="button"
      data-testid={`customer-${customer.waId}`}
      aria-current={selected || undefined}
      onClick={props.onSelect}
      display="flex"
      alignItems="center"
      gap="3"
      w="full"
      h="16"
      px="3"
      textAlign="start"
      bg={selected ? 'brand.subtle' : undefined}
      _hover={selected ? {} : { bg: 'bg.hover' }}
    >
      <Avatar name={customer.name} src={customer.photo} />
      <chakra.span flex="1" minW="0">
        <chakra.span display="flex" gap="2" justifyContent="space-between">
          <chakra.span truncate fontWeight="medium">
            {customer.name}
          </chakra.span>
          {customer.lastAt && (
            <chakra.span fontSize="xs" color="fg.muted" flexShrink="0">
              {formatLastMessageTime(customer.lastAt)}
            </chakra.span>
          )}
        </chakra.span>
        <chakra.span display="flex" gap="2" justifyContent="space-between">
          <chakra.span truncate fontSize="sm" color="fg.muted">
            {preview}
          </chakra.span>
          {customer.unread > 0 && (
            <chakra.span
              minW="5"
              px="1.5"
              h="4.5"
              borderRadius="full"
              bg="brand.solid"
              color="brand.on"
              fontSize="xs"
              fontWeight="semibold"
              lineHeight="18px"
              textAlign="center"
              aria-label={t('unread', { count: customer.unread })}
            >
              {customer.unread}
            </chakra.span>
          )}
        </chakra.span>
      </chakra.span>
    </chakra.button>
  );
}

function NewCustomer({ number, onDone }: { number: string; onDone: (waId: string) => void }) {
  const { t } = useTranslation('simulator');
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const add = useAct(() => post<Customer>('/customers', { name, wa_id: phone, number }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    add.mutate(undefined, {
      onSuccess: (made) => onDone((made as Customer).waId),
      onError: () => toast.warning(t('newCustomer.refused')),
    });
  };
  return (
    <chakra.form
      onSubmit={submit}
      display="grid"
      gap="2"
      p="3"
      borderBottomWidth="1px"
      aria-label={t('newCustomer.title')}
    >
      <TextInput
        size="sm"
        required
        aria-label={t('newCustomer.name')}
        placeholder={t('newCustomer.name')}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextInput
        size="sm"
        required
        inputMode="tel"
        aria-label={t('newCustomer.phone')}
        placeholder="+55 11 98888-7777"
        value={phone}
        onChange={(event) => setPhone(event.target.value)}
      />
      <Button type="submit" size="sm" variant="outline" loading={add.isPending}>
        {t('newCustomer.add')}
      </Button>
    </chakra.form>
  );
}
