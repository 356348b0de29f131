import { chakra } from '@chakra-ui/react';
import { Bot, Store } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { TextInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { post, useAct, type Customer, type SimNumber } from './api';

interface Props {
  number: SimNumber;
  customer: Customer;
  /** Whether the other agent leads the conversation. */
  isElsewhere: boolean;
}

/** Another responder of the number, such as Meta's agent: who leads, and what it writes. */
export function OtherAgent({ number, customer, isElsewhere }: Props) {
  const { t } = useTranslation('simulator');
  const [body, setBody] = useState('');
  const target = { number: number.id, customer: customer.waId };
  const say = useAct((text: string) => post('/responder', { ...target, body: text }));
  const hand = useAct((taken: boolean) => post('/handover', { ...target, taken }));
  const refused = () => toast.warning(t('refused'));
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    const text = body.trim();
    if (text) say.mutate(text, { onSuccess: () => setBody(''), onError: refused });
  };
  const Icon = isElsewhere ? Bot : Store;
  return (
    <chakra.section aria-label={t('agent.title')} display="grid" gap="3">
      <chakra.h2 fontWeight="semibold">{t('agent.title')}</chakra.h2>
      <chakra.p role="status" display="flex" alignItems="center" gap="2" fontSize="sm">
        <chakra.span display="flex" color="fg.muted">
          <Icon size={16} aria-hidden />
        </chakra.span>
        {t(isElsewhere ? 'agent.leads' : 'agent.shopLeads', { name: customer.name })}
      </chakra.p>
      <Button
        size="sm"
        variant="outline"
        loading={hand.isPending}
        onClick={() => hand.mutate(!isElsewhere, { onError: refused })}
      >
        {t(isElsewhere ? 'agent.giveBack' : 'agent.take')}
      </Button>
      <chakra.form onSubmit={send} display="flex" gap="2" aria-label={t('agent.write')}>
        <TextInput
          size="sm"
          aria-label={t('agent.write')}
          placeholder={t('agent.write')}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <Button type="submit" size="sm" disabled={!body.trim()} loading={say.isPending}>
          {t('send')}
        </Button>
      </chakra.form>
      <chakra.p fontSize="xs" color="fg.muted">
        {t('agent.help')}
      </chakra.p>
    </chakra.section>
  );
}
