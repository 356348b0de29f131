import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ExternalLink, ShoppingBag, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '@/components/Combobox';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, SkeletonFields } from '@/components/States';
import { errorMessage } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { productsQuery } from '../api';
import type { MenuKind } from '../parse';
import type { Product } from '../types';
import { Counted } from './Counted';
import { LIMITS, type ProductSection } from './form';
import { AddButton, Part, type FieldsProps } from './OptionFields';

const MANAGER = 'https://business.facebook.com/latest/whatsapp_manager/catalog';
const NONE: Product[] = [];

/** The account's catalogue in its states; the fields are shown when there is one. */
function Catalog({ connectionId, children }: { connectionId: number; children: ReactNode }) {
  const { t } = useTranslation('interactive');
  const query = useQuery(productsQuery(connectionId, ''));
  if (query.isPending) return <SkeletonFields />;
  if (query.error) {
    return (
      <ErrorState
        title={t('catalog.failed')}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.data.catalog && query.data.products.length > 0) return children;
  return (
    <EmptyState
      icon={<ShoppingBag size={20} />}
      title={t(query.data.catalog ? 'catalog.empty' : 'catalog.none')}
      text={t(query.data.catalog ? 'catalog.emptyText' : 'catalog.noneText')}
      action={
        <chakra.a
          href={MANAGER}
          target="_blank"
          rel="noopener noreferrer"
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          textStyle="sm"
          color="brand.fg"
          textDecoration="underline"
        >
          {t('catalog.manager')}
          <ExternalLink size={14} aria-hidden />
        </chakra.a>
      }
    />
  );
}

/** A product with its picture, which comes from the seller's own site. */
function ProductLine({ product: { name, price, imageUrl, available } }: { product: Product }) {
  const { t } = useTranslation('interactive');
  return (
    <chakra.span display="flex" alignItems="center" gap="2.5" minW="0">
      <chakra.span
        display="flex"
        alignItems="center"
        justifyContent="center"
        w="9"
        h="9"
        flexShrink="0"
        overflow="hidden"
        borderRadius="sm"
        bg="bg.subtle"
        color="fg.muted"
      >
        {imageUrl ? (
          <chakra.img
            src={imageUrl}
            alt=""
            loading="lazy"
            referrerPolicy="no-referrer"
            w="full"
            h="full"
            objectFit="cover"
          />
        ) : (
          <ShoppingBag size={16} aria-hidden />
        )}
      </chakra.span>
      <chakra.span minW="0">
        <chakra.span display="block" textStyle="sm" overflowWrap="anywhere">
          {name}
        </chakra.span>
        <chakra.span display="block" textStyle="xs" color="fg.muted">
          {[price, !available && t('unavailable')].filter(Boolean).join(' · ')}
        </chakra.span>
      </chakra.span>
    </chakra.span>
  );
}

interface PickerProps {
  connectionId: number;
  value: Product | null;
  onChange: (product: Product | null) => void;
}

/** Searches the catalogue by name. */
function ProductPicker({ connectionId, value, onChange }: PickerProps) {
  const { t } = useTranslation('interactive');
  const [search, setSearch] = useState('');
  const settled = useDebounced(search.trim(), 300);
  const query = useQuery({
    ...productsQuery(connectionId, settled),
    placeholderData: keepPreviousData,
  });
  return (
    <Combobox
      items={query.data?.products ?? NONE}
      itemKey={({ id }) => id}
      itemLabel={({ name }) => name}
      renderItem={(product) => <ProductLine product={product} />}
      value={value}
      onChange={onChange}
      onSearch={setSearch}
      loading={query.isPlaceholderData || query.isPending || settled !== search.trim()}
      error={query.error && errorMessage(query.error)}
      placeholder={t('productSearch')}
    />
  );
}

/** The products of one section, and a field that adds one. */
function SectionProducts(props: {
  connectionId: number;
  section: ProductSection;
  taken: ReadonlySet<string>;
  error: string | undefined;
  onChange: (products: Product[]) => void;
}) {
  const { connectionId, section, taken, error, onChange } = props;
  const { t } = useTranslation('interactive');
  const { products } = section;
  return (
    <>
      {products.length > 0 && (
        <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
          {products.map((product) => (
            <chakra.li key={product.id} display="flex" alignItems="center" gap="1">
              <chakra.span flex="1" minW="0">
                <ProductLine product={product} />
              </chakra.span>
              <IconButton
                label={t('remove.product', { name: product.name })}
                icon={<X size={16} />}
                size="sm"
                onClick={() => onChange(products.filter(({ id }) => id !== product.id))}
              />
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {taken.size < LIMITS.products ? (
        <Field label={t('add.product')} error={error}>
          <ProductPicker
            // Emptied after each choice.
            key={products.length}
            connectionId={connectionId}
            value={null}
            onChange={(product) => {
              if (product && !taken.has(product.id)) onChange([...products, product]);
            }}
          />
        </Field>
      ) : (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('mostProducts', { count: LIMITS.products })}
        </chakra.p>
      )}
    </>
  );
}

function Sections({ connectionId, form, onChange, errorOf }: ProductFieldsProps) {
  const { t } = useTranslation('interactive');
  const { productSections: sections } = form;
  const taken = new Set(sections.flatMap(({ products }) => products.map(({ id }) => id)));
  const change = (at: number, changes: Partial<ProductSection>) =>
    onChange({
      productSections: sections.map((each, index) =>
        index === at ? { ...each, ...changes } : each,
      ),
    });
  return (
    <>
      {sections.map((section, at) => (
        <Part
          key={at}
          title={t('fields.section', { number: at + 1 })}
          removeLabel={t('remove.section', { number: at + 1 })}
          onRemove={
            sections.length > 1
              ? () => onChange({ productSections: sections.filter((_, index) => index !== at) })
              : undefined
          }
        >
          <Counted
            label={t('fields.sectionTitle')}
            value={section.title}
            limit={LIMITS.title}
            required={sections.length > 1}
            error={errorOf(`sections.${at}.title`)}
            onChange={(title) => change(at, { title })}
          />
          <SectionProducts
            connectionId={connectionId}
            section={section}
            taken={taken}
            error={errorOf(`sections.${at}.products`)}
            onChange={(products) => change(at, { products })}
          />
        </Part>
      ))}
      {sections.length < LIMITS.sections && taken.size < LIMITS.products && (
        <AddButton
          onClick={() => onChange({ productSections: [...sections, { title: '', products: [] }] })}
        >
          {t('add.section')}
        </AddButton>
      )}
    </>
  );
}

interface ProductFieldsProps extends FieldsProps {
  kind: MenuKind;
  connectionId: number;
}

/** The products of a message: one, some in sections, or the picture of the catalogue. */
export function ProductFields(props: ProductFieldsProps) {
  const { kind, connectionId, form, onChange, errorOf } = props;
  const { t } = useTranslation('interactive');
  return (
    <Catalog connectionId={connectionId}>
      {kind === 'product_list' ? (
        <Sections {...props} />
      ) : (
        <Field
          label={t(kind === 'catalog' ? 'fields.picture' : 'fields.product')}
          help={kind === 'catalog' ? t('fields.pictureHelp') : undefined}
          required={kind === 'product'}
          error={errorOf('product')}
        >
          <ProductPicker
            connectionId={connectionId}
            value={form.product}
            onChange={(product) => onChange({ product })}
          />
        </Field>
      )}
    </Catalog>
  );
}
