/** The reason of a failure, in addition to the server's sentence. */
export interface Reason {
  /** The reason's name, or the code of a refusal ('ERR_…'); '' if only the sentence is known. */
  reasonCode: string;
  /**
   * A detail of the reason: the other side's words, the person who did it, or the server concerned.
   */
  reasonDetail: string;
}

/** A refusal or a failure of a call, in the server's one shape. */
export class ApiError extends Error implements Reason {
  readonly status: number;
  /** A stable `ERR_…` name; ERR_NETWORK when no answer came. */
  readonly code: string;
  /** Reasons by request field, for the form that sent them. */
  readonly fields: Record<string, string[]>;
  /** The rule that a field breaks ('required', 'max_length', …), where it has a name. */
  readonly fieldCodes: Partial<Record<string, string>>;
  readonly reasonCode: string;
  readonly reasonDetail: string;
  /** The whole body of the answer: some refusals carry the record that they are about. */
  readonly body: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Record<string, string[]> = {},
    body: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.fieldCodes = asCodes(body.fieldCodes);
    this.reasonCode = asText(body.reasonCode);
    this.reasonDetail = asText(body.reasonDetail);
    this.body = body;
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '');

const asCodes = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([field, code]) => [field, asText(code)]))
    : {};

function asFields(value: unknown): Record<string, string[]> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).map(([field, reasons]) => [
      field,
      (Array.isArray(reasons) ? reasons : [reasons]).map(String),
    ]),
  );
}

/**
 * Reads `{error, code, message, fields}`; any other body becomes an error with the status alone.
 */
export function errorFromBody(status: number, text: string): ApiError {
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed as Record<string, unknown>;
  } catch {
    // The body is a proxy's HTML page or empty: only the status is known.
  }
  const error = asText(body.error);
  const code = asText(body.code) || (error.startsWith('ERR_') ? error : '') || `HTTP_${status}`;
  return new ApiError(status, code, asText(body.message) || error, asFields(body.fields), body);
}

export const networkError = () => new ApiError(0, 'ERR_NETWORK', '');

/** Whether the company's due date is past (rules/companies §4). */
export const isOverdue = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'ERR_COMPANY_EXPIRED';

/** Whether no answer came at all. */
export const isNetworkError = (error: unknown) =>
  error instanceof ApiError && error.code === 'ERR_NETWORK';
