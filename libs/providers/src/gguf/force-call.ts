import type { ChatWrapper, ChatWrapperGeneratedContextState } from "node-llama-cpp";
import { LlamaText } from "node-llama-cpp";

/** A model's chat format whose answers begin with a call of a function. */
export function forceCall(wrapper: ChatWrapper): ChatWrapper {
  const generate: ChatWrapper["generateContextState"] = (options) => {
    const { contextText, stopGenerationTriggers } = wrapper.generateContextState(options);
    const state: ChatWrapperGeneratedContextState = {
      contextText,
      stopGenerationTriggers,
      noPrefixTrigger: { type: "functionCall", inject: LlamaText([]) },
    };
    return state;
  };
  return new Proxy(wrapper, {
    get: (target, key) => {
      if (key === "generateContextState") return generate;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
