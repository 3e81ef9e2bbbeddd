import type { FaultWire } from "@carrel/contracts";
import i18next from "i18next";
import { failureOf } from "../../../lib/api.ts";
import { translateFault } from "../../../lib/fault.ts";
import { errorMessage } from "../../../lib/error-message.ts";

/** Why a stream ended without an answer. */
export class StreamFailure extends Error {
  override readonly name = "StreamFailure";
  private constructor(
    message: string,
    /** The fault named by the server; null if only the status is known or the connection broke. */
    readonly fault: FaultWire | null = null,
    /** The connection broke, so it's unknown whether the server has the question. */
    readonly isDropped = false,
  ) {
    super(message);
  }

  static async ofReply(response: Response): Promise<StreamFailure> {
    const { status } = response;
    const received = (await failureOf(response)).fault;
    const fault = received !== null && translateFault(received) !== null ? received : null;
    return status >= 400 && status < 500 && status !== 429
      ? new StreamFailure(i18next.t("chat:streamRejected", { status }), fault)
      : new StreamFailure(i18next.t("chat:streamFailed"), fault);
  }

  static ofConnection(cause: unknown): StreamFailure {
    return new StreamFailure(
      cause instanceof Error
        ? i18next.t("chat:streamBroken", { details: errorMessage(cause) })
        : i18next.t("chat:streamFailed"),
      null,
      true,
    );
  }
}

/** The message to show for an error thrown by a stream. */
export const describeStreamError = (error: unknown): FaultWire | string =>
  (error instanceof StreamFailure ? error.fault : null) ?? errorMessage(error);
