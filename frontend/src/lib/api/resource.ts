import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { api } from './client';
import { eachOnce, nextPageByRows } from './pages';

/**
 * A resource whose rows are created at a path and changed and deleted below it; `keys.all` is the
 * prefix of its query keys.
 */
interface Resource {
  path: string;
  keys: { all: QueryKey };
}

/** A resource that is listed in pages of 20 and searched. */
interface PagedResource<Row, Page> extends Resource {
  keys: { all: QueryKey; pages: QueryKey };
  rowsOf: (page: Page) => Row[];
}

interface Identified {
  id: number;
}

interface Paged {
  count: number;
  hasMore: boolean;
}

const PAGE_SIZE = 20;

const fetchPage = <Page>(
  { path }: Resource,
  searchParam: string,
  pageNumber: number,
  signal: AbortSignal,
  more: Record<string, number> = {},
) => api.get<Page>(`${path}/`, { searchParam, pageNumber, ...more }, signal);

/**
 * The rows that match a search, page by page; an empty search matches all. `more` holds further
 * query parameters of the call.
 */
export const pagesQuery = <Row extends Identified, Page extends Paged>(
  resource: PagedResource<Row, Page>,
  search: string,
  more?: Record<string, number>,
) =>
  infiniteQueryOptions({
    queryKey: [...resource.keys.pages, search.trim()],
    queryFn: ({ pageParam, signal }) =>
      fetchPage<Page>(resource, search.trim(), pageParam, signal, more),
    initialPageParam: 1,
    getNextPageParam: (last: Page, pages: Page[]) =>
      nextPageByRows(last, pages.flatMap(resource.rowsOf), PAGE_SIZE),
    select: ({ pages }) => ({
      rows: eachOnce(pages.flatMap(resource.rowsOf)),
      /** The total number of rows. */
      count: pages.at(-1)?.count ?? 0,
    }),
  });

/** Every row, for selectors. */
export const everyRowQuery = <Row, Page extends Paged>(
  resource: PagedResource<Row, Page> & { keys: { options: QueryKey } },
) =>
  queryOptions({
    queryKey: resource.keys.options,
    queryFn: async ({ signal }) => {
      const rows: Row[] = [];
      for (let pageNumber = 1, more = true; more; pageNumber += 1) {
        const page = await fetchPage<Page>(resource, '', pageNumber, signal);
        rows.push(...resource.rowsOf(page));
        more = page.hasMore;
      }
      return rows;
    },
  });

/**
 * Creates a row, or changes the one with `id`. The mutation ends after the resource has been
 * fetched again, so that a form that is opened afterwards shows the saved row.
 */
export function useSaveRow<Row, Input>({ path, keys }: Resource, id?: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Input) =>
      id === undefined ? api.post<Row>(path, body) : api.put<Row>(`${path}/${id}`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.all }),
  });
}

interface Saving<Fields> {
  /** Omitted for a new row. */
  id?: number | undefined;
  fields: Fields;
}

/**
 * Like `useSaveRow`, for a form that gets the id while it is open; does not wait for the new fetch.
 */
export function useSaveFields<Row, Fields>({ path, keys }: Resource) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, fields }: Saving<Fields>) =>
      id === undefined ? api.post<Row>(path, fields) : api.put<Row>(`${path}/${id}`, fields),
    onSettled: () => void client.invalidateQueries({ queryKey: keys.all }),
  });
}

/** Deletes a row by its id, then fetches what is cached of the resource again. */
export function useDeleteRow({ path, keys }: Resource) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete(`${path}/${id}`),
    onSettled: () => void client.invalidateQueries({ queryKey: keys.all }),
  });
}
