import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { SquareMousePointer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@/components/States';
import type { Ticket } from '@/features/tickets/api';
import { productsQuery } from '../api';
import { ComposeDialog, ComposeForm } from '../ComposeDialog';
import type { MenuKind } from '../parse';
import { Counted } from './Counted';
import {
  bodyLimit,
  emptyForm,
  faultsOf,
  hasFooter,
  hasHeader,
  LIMITS,
  needsBody,
  needsHeader,
  OF_PRODUCTS,
  outgoingOf,
  type MenuForm,
  type OutgoingMenu,
} from './form';
import { KindList } from './KindList';
import { MenuPreview } from './MenuPreview';
import { ButtonsFields, ListFields } from './OptionFields';
import { ProductFields } from './ProductFields';

const FORM = 'interactive-form';

interface InteractiveDialogProps {
  ticket: Pick<Ticket, 'contact' | 'whatsappId'>;
  onClose: () => void;
  /** The message is complete; the caller closes the dialog and sends it. */
  onSend: (menu: OutgoingMenu) => void;
}

/** Chooses the kind of an interactive message, fills it in, previews and sends it. */
export default function InteractiveDialog({ ticket, onClose, onSend }: InteractiveDialogProps) {
  const { t } = useTranslation('interactive');
  const connectionId = ticket.whatsappId ?? 0;
  const [kind, setKind] = useState<MenuKind | null>(null);
  const [initial] = useState(() => emptyForm(t('listButton')));
  const [form, setForm] = useState(initial);
  const [tried, setTried] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const change = (changes: Partial<MenuForm>) => setForm((before) => ({ ...before, ...changes }));
  useEffect(() => {
    if (kind)
      fields.current?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true });
  }, [kind]);

  const faults = tried && kind ? faultsOf(kind, form) : {};
  const errorOf = (field: string) => {
    const fault = faults[field];
    return fault && t(`faults.${fault.key}`, { count: fault.limit ?? 0 });
  };
  const isOfProducts = kind !== null && OF_PRODUCTS.includes(kind);
  const products = useQuery({ ...productsQuery(connectionId, ''), enabled: isOfProducts });
  const lacksCatalog = isOfProducts && !products.data?.products.length;

  const choose = (next: MenuKind | null) => {
    setKind(next);
    setTried(false);
  };
  const submit = () => {
    if (!kind || lacksCatalog) return;
    setTried(true);
    if (Object.keys(faultsOf(kind, form)).length === 0) {
      onSend(outgoingOf(kind, form));
      return;
    }
    requestAnimationFrame(() =>
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    );
  };

  const shared = { form, onChange: change, errorOf };
  const editor = kind && (
    <ComposeForm ref={fields} id={FORM} label={t(`kind.${kind}.name`)} onSubmit={submit}>
      <chakra.div>
        <chakra.h3 textStyle="md" fontWeight="semibold">
          {t(`kind.${kind}.name`)}
        </chakra.h3>
        <chakra.p textStyle="sm" color="fg.muted">
          {t(`kind.${kind}.help`)}
        </chakra.p>
      </chakra.div>
      {isOfProducts && <ProductFields kind={kind} connectionId={connectionId} {...shared} />}
      {!lacksCatalog && (
        <>
          {hasHeader(kind) && (
            <Counted
              label={t(needsHeader(kind) ? 'fields.header' : 'fields.headerOptional')}
              value={form.header}
              limit={LIMITS.header}
              required={needsHeader(kind)}
              error={errorOf('header')}
              onChange={(header) => change({ header })}
            />
          )}
          <Counted
            label={t(needsBody(kind) ? 'fields.body' : 'fields.bodyOptional')}
            value={form.body}
            limit={bodyLimit(kind)}
            required={needsBody(kind)}
            error={errorOf('body')}
            lines
            onChange={(body) => change({ body })}
          />
          {kind === 'buttons' && <ButtonsFields {...shared} />}
          {kind === 'list' && <ListFields {...shared} />}
          {kind === 'link' && (
            <>
              <Counted
                label={t('fields.linkButton')}
                value={form.linkButton}
                limit={LIMITS.button}
                required
                error={errorOf('button')}
                onChange={(linkButton) => change({ linkButton })}
              />
              <Counted
                label={t('fields.url')}
                value={form.url}
                limit={LIMITS.url}
                required
                placeholder="https://"
                error={errorOf('url')}
                onChange={(url) => change({ url })}
              />
            </>
          )}
          {hasFooter(kind) && (
            <Counted
              label={t('fields.footerOptional')}
              value={form.footer}
              limit={LIMITS.footer}
              error={errorOf('footer')}
              onChange={(footer) => change({ footer })}
            />
          )}
        </>
      )}
    </ComposeForm>
  );
  return (
    <ComposeDialog
      title={t('title', { name: ticket.contact.name })}
      onClose={onClose}
      dirty={form !== initial}
      list={<KindList chosen={kind} onChoose={choose} />}
      listWidth="300px"
      form={editor}
      formId={FORM}
      preview={kind && <MenuPreview kind={kind} form={form} />}
      nothing={<EmptyState icon={<SquareMousePointer size={20} />} title={t('choose')} />}
      sendLabel={t('send')}
      canSend={kind !== null && !lacksCatalog}
      onBack={() => choose(null)}
    />
  );
}
