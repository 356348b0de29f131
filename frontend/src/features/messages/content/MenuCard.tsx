import { chakra } from '@chakra-ui/react';
import { ShoppingBag } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TemplateCard } from '@/components/TemplateCard';
import type { ShownButton } from '@/lib/templates/shown';
import type { ShownMenu } from '../parse';
import { Inset } from './parts';

/** The rows of a list, under the titles of their sections. */
export function Rows({ choices, muted }: { choices: ShownMenu['choices']; muted: string }) {
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1.5">
      {choices.map(({ title, description, section }, index) => (
        <Fragment key={index}>
          {section && section !== choices[index - 1]?.section && (
            <chakra.li
              textStyle="xs"
              fontWeight="semibold"
              color="brand.fg"
              overflowWrap="anywhere"
              {...(index > 0 && { mt: '1' })}
            >
              {section}
            </chakra.li>
          )}
          <chakra.li textStyle="sm" overflowWrap="anywhere">
            {title}
            {description && (
              <chakra.span display="block" textStyle="xs" color={muted}>
                {description}
              </chakra.span>
            )}
          </chakra.li>
        </Fragment>
      ))}
    </chakra.ul>
  );
}

/** The products of a message; WhatsApp shows their pictures, we show name and price. */
function Products({ choices }: { choices: ShownMenu['choices'] }) {
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1" mb="1.5">
      {choices.map(({ title, description, section }, index) => (
        <Fragment key={index}>
          {section && section !== choices[index - 1]?.section && (
            <chakra.li textStyle="xs" fontWeight="semibold" color="brand.fg" mt="1">
              {section}
            </chakra.li>
          )}
          <Inset as="li">
            <chakra.span display="flex" flexShrink="0" color="brand.fg">
              <ShoppingBag size={20} aria-hidden />
            </chakra.span>
            <chakra.span minW="0">
              <chakra.span display="block" textStyle="sm" fontWeight="semibold" lineClamp={2}>
                {title}
              </chakra.span>
              {description && (
                <chakra.span display="block" textStyle="xs" color="fg.muted">
                  {description}
                </chakra.span>
              )}
            </chakra.span>
          </Inset>
        </Fragment>
      ))}
    </chakra.ul>
  );
}

interface MenuCardProps {
  menu: ShownMenu;
  /** Renders the text of the body. */
  words: (text: string) => ReactNode;
  /** Time and tick, and the space they take at the end of the last line. */
  meta?: ReactNode;
  metaSpace?: ReactNode;
  /** As on the contact's phone: the rows of a list are behind its button. */
  closed?: boolean;
}

/** A person's interactive message. */
export function MenuCard({ menu, words, meta, metaSpace, closed = false }: MenuCardProps) {
  const { t } = useTranslation('conversation');
  const { kind, header, choices } = menu;
  const hasProducts = kind === 'product' || kind === 'product_list' || kind === 'catalog';
  const one = (button: ShownButton['kind'], text: string, href?: string): ShownButton[] => [
    { kind: button, text, href },
  ];
  const buttons = (): ShownButton[] => {
    switch (kind) {
      case 'buttons':
        return choices.map(({ title }) => ({ kind: 'reply', text: title, href: undefined }));
      case 'list':
        return one('list', menu.button || t('interactive.list'));
      case 'link':
        return one('link', menu.button, menu.href);
      case 'location_request':
        return one('location', t('interactive.location'));
      case 'contact_request':
        return one('contact', t('interactive.contact'));
      case 'product':
        return one('catalog', t('interactive.product'));
      case 'product_list':
        return one('list', t('interactive.products'));
      case 'catalog':
        return one('catalog', t('interactive.catalog'));
      case null:
        return [];
    }
  };
  return (
    <TemplateCard
      template={{
        header: header ? { kind: 'text', text: header } : null,
        body: menu.body,
        footer: menu.footer,
        buttons: buttons().filter(({ text }) => text),
      }}
      words={words}
      meta={meta}
      metaSpace={metaSpace}
      extra={hasProducts && choices.length > 0 && <Products choices={choices} />}
      below={
        kind === 'list' &&
        !closed && (
          <chakra.div
            mx="-3"
            mt="1.5"
            px="3"
            pt="2"
            pb="0.5"
            borderTopWidth="1px"
            borderColor="brand.fg/15"
          >
            <Rows choices={choices} muted="bubble.out.meta" />
          </chakra.div>
        )
      }
    />
  );
}
