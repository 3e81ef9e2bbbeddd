import { setWelcomeMessages } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import type { WelcomeMessage } from "../../../lib/welcome-messages.ts";

/** Replaces all welcome messages, including their order. */
export const useSaveWelcomeMessages = () =>
  useMutation({
    mutationFn: async (messages: WelcomeMessage[]) => {
      try {
        await call(setWelcomeMessages, { messages });
      } catch (error) {
        const message = i18next.t("workspace:welcome.saveFailed", { message: errorMessage(error) });
        throw new Error(message, { cause: error });
      }
    },
    meta: { invalidates: [instanceKeys.welcomeMessages], errorToast: false },
  });
