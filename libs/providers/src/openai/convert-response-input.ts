import type OpenAI from "openai";
import {
  contentParts,
  type AssistantPart,
  type ModelMessage,
  type UserPart,
} from "../spec/message.ts";
import { convertUserContent } from "./convert-user-content.ts";

type Item = OpenAI.Responses.ResponseInputItem;

function convertUserPart(part: UserPart): OpenAI.Responses.ResponseInputContent {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return {
        type: "input_image",
        detail: "auto",
        image_url: `data:${part.mime};base64,${part.base64}`,
      };
    case "file":
      return {
        type: "input_file",
        filename: part.filename,
        file_data: `data:${part.mime};base64,${part.base64}`,
      };
  }
}

function convertAssistantPart(part: AssistantPart): Item[] {
  switch (part.type) {
    case "text":
      return [{ role: "assistant", content: part.text }];
    case "tool-call":
      return [
        {
          type: "function_call",
          call_id: part.id,
          name: part.name,
          arguments: JSON.stringify(part.input),
        },
      ];
    case "reasoning": {
      // OpenAI stores nothing for us, so it only accepts back reasoning that it encrypted.
      const { id, encryptedContent } = part.metadata?.openai ?? {};
      if (id === undefined || encryptedContent === undefined) return [];
      return [
        {
          type: "reasoning",
          id,
          encrypted_content: encryptedContent,
          summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
        },
      ];
    }
  }
}

/** Converts to input items of the Responses API, where calls and reasoning are separate items. */
export function convertResponseInput(message: ModelMessage): Item[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: convertUserContent(message.content, convertUserPart) }];
    case "assistant":
      return typeof message.content === "string"
        ? [{ role: "assistant", content: message.content }]
        : contentParts(message.content).flatMap(convertAssistantPart);
    case "tool":
      return message.content.map(({ id, output }) => ({
        type: "function_call_output",
        call_id: id,
        output,
      }));
  }
}
