import { chakra, useBreakpointValue } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, SendHorizontal, SquareMousePointer } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { EmptyState } from '@/components/States';
import type { Ticket } from '@/features/tickets/api';
import { productsQuery } from '../api';
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
  // Side by side if there is room, else one step after another.
  const isWide = useBreakpointValue({ base: false, md: true }, { ssr: false }) ?? true;
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
    <chakra.form
      id={FORM}
      ref={fields}
      noValidate
      aria-label={t(`kind.${kind}.name`)}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      display="flex"
      flexDirection="column"
      gap="4"
      p="5"
      minH={{ md: '0' }}
      flexShrink={{ base: '0', md: '1' }}
      overflowY={{ md: 'auto' }}
    >
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
    </chakra.form>
  );
  const preview = kind && <MenuPreview kind={kind} form={form} />;
  const list = <KindList chosen={kind} onChoose={choose} />;
  const footer = (
    <>
      {!isWide && (
        <Button variant="outline" icon={<ArrowLeft size={16} />} onClick={() => choose(null)}>
          {t('back')}
        </Button>
      )}
      <Button
        type="submit"
        form={FORM}
        icon={<SendHorizontal size={16} />}
        disabled={!kind || lacksCatalog}
      >
        {t('send')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('title', { name: ticket.contact.name })}
      size="xl"
      dirty={form !== initial}
      footer={(isWide || kind) && footer}
    >
      {isWide ? (
        <chakra.div
          display="grid"
          gridTemplateColumns="300px minmax(0, 1fr) 368px"
          h="min(640px, calc(100vh - 220px))"
          mx="-6"
          mb="-6"
          borderTopWidth="1px"
          borderColor="border.subtle"
        >
          <chakra.div
            display="flex"
            minH="0"
            overflow="hidden"
            borderEndWidth="1px"
            borderColor="border.subtle"
          >
            {list}
          </chakra.div>
          {editor ? (
            <>
              <chakra.div
                display="flex"
                flexDirection="column"
                minH="0"
                minW="0"
                overflow="hidden"
                borderEndWidth="1px"
                borderColor="border.subtle"
              >
                {editor}
              </chakra.div>
              {preview}
            </>
          ) : (
            <chakra.div
              gridColumn="span 2"
              display="flex"
              alignItems="center"
              justifyContent="center"
              bg="bg.thread"
            >
              <EmptyState icon={<SquareMousePointer size={20} />} title={t('choose')} />
            </chakra.div>
          )}
        </chakra.div>
      ) : (
        <chakra.div mx="-6" mb="-6" display="flex" flexDirection="column" h="calc(100% + 24px)">
          {editor ? (
            <>
              {editor}
              <chakra.div px="5" pb="5" flexShrink="0">
                {preview}
              </chakra.div>
            </>
          ) : (
            list
          )}
        </chakra.div>
      )}
    </Dialog>
  );
}
