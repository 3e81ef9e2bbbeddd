import type { Logger } from "@carrel/observability";
import type { LoggerService } from "@nestjs/common";

/** Routes Nest's messages to the service's logger; its startup messages are logged as debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ from: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { from: rest.at(-1), err: message instanceof Error ? message : undefined, stack: rest[0] },
      String(message),
    );
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ from: rest.at(-1) }, String(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ from: rest.at(-1) }, String(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ from: rest.at(-1) }, String(message));
  }
}
