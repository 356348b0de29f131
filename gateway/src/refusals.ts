/** The refusal of a command, with an error as in docs/gateway.md §1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: { permanent?: boolean; retryAfter?: number; outcomeUnknown?: boolean } = {},
  ) {
    super(message);
  }

  get body(): Record<string, unknown> {
    return {
      code: this.code,
      message: this.message,
      permanent: this.more.permanent ?? false,
      retryAfter: this.more.retryAfter ?? null,
      outcomeUnknown: this.more.outcomeUnknown ?? false,
    };
  }
}

/** The fields of a command; reading a missing one throws a refusal that names it. */
export class Given {
  constructor(private readonly body: Record<string, unknown>) {}

  /** Returns a required text. */
  text(name: string): string {
    const value = this.body[name];
    if (typeof value === 'string' && value) return value;
    throw new Refusal(400, 'ERR_BAD_COMMAND', `${name} is missing.`, { permanent: true });
  }

  /** Returns an optional text; '' if it is missing. */
  optionalText(name: string): string {
    const value = this.body[name];
    return typeof value === 'string' ? value : '';
  }

  number(name: string): number | undefined {
    const value = this.body[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }

  flag(name: string): boolean {
    return this.body[name] === true;
  }

  /** Returns an object; null if it is missing. */
  part(name: string): Given | null {
    const value = this.body[name];
    return isObject(value) ? new Given(value) : null;
  }

  parts(name: string): Given[] {
    const value = this.body[name];
    return Array.isArray(value) ? value.filter(isObject).map((one) => new Given(one)) : [];
  }

  texts(name: string): string[] {
    const value = this.body[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
