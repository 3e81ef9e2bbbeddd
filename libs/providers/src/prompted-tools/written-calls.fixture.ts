import type { ToolDefinition } from "../spec/language-model.ts";

const text = { type: "string" };
export const tools: ToolDefinition[] = [
  {
    name: "search_documents",
    description: "Searches the documents",
    inputSchema: {
      type: "object",
      properties: { query: text, limit: { type: "integer" } },
      required: ["query"],
    },
  },
  {
    name: "get_weather",
    description: "The weather in a city",
    inputSchema: {
      type: "object",
      properties: {
        city: text,
        days: { type: "array", items: { type: "integer" } },
        metric: { type: "boolean" },
      },
      required: ["city"],
    },
  },
  {
    name: "write_file",
    description: "Writes a file",
    inputSchema: {
      type: "object",
      properties: { path: text, content: text },
      required: ["path", "content"],
    },
  },
  {
    name: "list_files",
    description: "Lists files",
    inputSchema: { type: "object", properties: {} },
  },
];

/** An answer as a model writes it, its calls, and the text that remains. */
export interface WrittenAnswer {
  name: string;
  answer: string;
  calls: [name: string, input: unknown][];
  /** Default: none. */
  text?: string;
}

const bern: [string, unknown] = ["get_weather", { city: "Bern" }];
const rent: [string, unknown] = ["search_documents", { query: "rent" }];

/** The forms of the models' chat templates and cards. */
export const templates: WrittenAnswer[] = [
  {
    // Chat templates of Hermes 2 Pro and Qwen 2.5 (huggingface.co/Qwen/Qwen2.5-7B-Instruct).
    name: "Hermes and Qwen",
    answer: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n</tool_call>',
    calls: [bern],
  },
  {
    name: "Qwen, two calls after a sentence",
    answer:
      'I\'ll look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n</tool_call>\n<tool_call>\n{"name": "search_documents", "arguments": {"query": "rent"}}\n</tool_call>',
    calls: [bern, rent],
    text: "I'll look.",
  },
  {
    // huggingface.co/Qwen/Qwen3-Coder-30B-A3B-Instruct, qwen3coder_tool_parser.py.
    name: "Qwen3-Coder",
    answer:
      "<tool_call>\n<function=get_weather>\n<parameter=city>\nBern\n</parameter>\n<parameter=days>\n[1, 2]\n</parameter>\n<parameter=metric>\nTrue\n</parameter>\n</function>\n</tool_call>",
    calls: [["get_weather", { city: "Bern", days: [1, 2], metric: true }]],
  },
  {
    // huggingface.co/zai-org/GLM-4.5, chat_template.jinja.
    name: "GLM",
    answer:
      "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Bern</arg_value>\n<arg_key>metric</arg_key>\n<arg_value>true</arg_value>\n</tool_call>",
    calls: [["get_weather", { city: "Bern", metric: true }]],
  },
  {
    // Mistral-7B-Instruct-v0.3, Ministral-8B-Instruct-2410 (mlx-lm#1374).
    name: "Mistral, a list",
    answer: '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Bern"}}]',
    calls: [bern],
  },
  {
    // Devstral and Magistral (mlx-lm#1374); ids since the v13 tokenizer.
    name: "Mistral, names",
    answer:
      '[TOOL_CALLS]get_weather[ARGS]{"city": "Bern"}[TOOL_CALLS]search_documents[CALL_ID]x7Gh2[ARGS]{"query": "rent"}',
    calls: [bern, rent],
  },
  {
    // Meta's model card of Llama 3.1: JSON based and user-defined custom tool calling.
    name: "Llama 3.1, bare JSON",
    answer: '{"name": "get_weather", "parameters": {"city": "Bern"}}',
    calls: [bern],
  },
  {
    name: "Llama 3.1, a tag",
    answer: '<function=get_weather>{"city": "Bern"}</function>',
    calls: [bern],
  },
  {
    name: "Llama 3.1, its own tools",
    answer: '<|python_tag|>get_weather.call(city="Bern")<|eom_id|>',
    calls: [bern],
  },
  {
    name: "Llama 3.1, JSON after the token",
    answer:
      '<|python_tag|>{"name": "get_weather", "parameters": {"city": "Bern"}}; {"name": "search_documents", "parameters": {"query": "rent"}}',
    calls: [bern, rent],
  },
  {
    // Meta's model card of Llama 3.2 and 4.
    name: "Llama 4, Python",
    answer: "[get_weather(city='Bern', days=[1, 2]), search_documents(query='rent')]",
    calls: [["get_weather", { city: "Bern", days: [1, 2] }], rent],
  },
  {
    // huggingface.co/deepseek-ai/DeepSeek-V3-0324, chat template.
    name: "DeepSeek V3 and R1",
    answer:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Bern"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>search_documents\n```json\n{"query": "rent"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    calls: [bern, rent],
  },
  {
    name: "DeepSeek V3.1",
    answer:
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Bern"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: [bern],
  },
  {
    // sglang#35736, opensquilla#985.
    name: "DeepSeek V4",
    answer:
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Bern</｜DSML｜parameter>\n<｜DSML｜parameter name="metric" string="false">true</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="search_documents">\n<｜DSML｜parameter name="query" string="true">rent</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    calls: [["get_weather", { city: "Bern", metric: true }], rent],
  },
  {
    // huggingface.co/moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md.
    name: "Kimi",
    answer:
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Bern"}<|tool_call_end|><|tool_call_begin|>functions.search_documents:1<|tool_call_argument_begin|>{"query": "rent"}<|tool_call_end|><|tool_calls_section_end|>',
    calls: [bern, rent],
  },
  {
    // OpenAI's harmony format (cookbook.openai.com/articles/openai-harmony).
    name: "gpt-oss",
    answer:
      '<|channel|>analysis<|message|>I need the weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Bern"}<|call|>',
    calls: [bern],
  },
  {
    // Anthropic's form, also of MiniMax-M2's template.
    name: "invoke",
    answer:
      '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Bern</parameter>\n</invoke>\n</function_calls>',
    calls: [bern],
  },
  {
    name: "MiniMax",
    answer:
      '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Bern</parameter>\n</invoke>\n</minimax:tool_call>',
    calls: [bern],
  },
  {
    // huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct.
    name: "Seed",
    answer:
      "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Bern</parameter>\n</function>\n</seed:tool_call>",
    calls: [bern],
  },
  {
    // ai.google.dev/gemma/docs/capabilities/function-calling.
    name: "Gemma 3",
    answer: '```tool_code\nprint(get_weather(city="Bern"))\n```',
    calls: [bern],
  },
  {
    // Chat template of Gemma 4 (2026).
    name: "Gemma 4",
    answer: '<|tool_call>call:get_weather{city:<|"|>Bern<|"|>}<tool_call|>',
    calls: [bern],
  },
  {
    // huggingface.co/microsoft/Phi-4-mini-instruct.
    name: "Phi",
    answer: '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Bern"}}]<|/tool_call|>',
    calls: [bern],
  },
  {
    // vLLM's phi4mini parser.
    name: "Phi, functools",
    answer: 'functools[{"name": "get_weather", "arguments": {"city": "Bern"}}]',
    calls: [bern],
  },
  {
    // huggingface.co/ibm-granite/granite-3.1-8b-instruct (vllm#11402).
    name: "Granite",
    answer: '<|tool_call|>[{"arguments": {"city": "Bern"}, "name": "get_weather"}]',
    calls: [bern],
  },
  {
    // huggingface.co/CohereLabs/c4ai-command-a-03-2025.
    name: "Command A",
    answer:
      '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Bern"}}\n]<|END_ACTION|>',
    calls: [bern],
  },
  {
    // huggingface.co/internlm/internlm2_5-7b-chat.
    name: "InternLM",
    answer:
      '<|action_start|><|plugin|>\n{"name": "get_weather", "parameters": {"city": "Bern"}}<|action_end|>',
    calls: [bern],
  },
  {
    // huggingface.co/nvidia/Llama-3.1-Nemotron-Nano-8B-v1.
    name: "Nemotron",
    answer: '<TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Bern"}}]</TOOLCALL>',
    calls: [bern],
  },
  {
    // huggingface.co/swiss-ai/Apertus-8B-Instruct-2509.
    name: "Apertus",
    answer: '<|tools_prefix|>[{"get_weather": {"city": "Bern"}}]<|tools_suffix|>',
    calls: [bern],
  },
  {
    // huggingface.co/allenai/Olmo-3-7B-Instruct.
    name: "Olmo 3",
    answer: '<function_calls>\nget_weather(city="Bern")\nlist_files()\n</function_calls>',
    calls: [bern, ["list_files", {}]],
  },
  {
    // huggingface.co/glaiveai/glaive-function-calling-v1.
    name: "Glaive",
    answer: '<functioncall> {"name": "get_weather", "arguments": \'{"city": "Bern"}\'}',
    calls: [bern],
  },
  {
    // LangChain's ReAct prompt (hub: hwchase17/react).
    name: "ReAct",
    answer:
      "Thought: I should look it up.\nAction: search_documents\nAction Input: rent\nObservation: The rent is 1,200.\nThought: I know it.\nFinal Answer: 1,200",
    calls: [rent],
    text: "Thought: I should look it up.",
  },
  {
    name: "ReAct with JSON",
    answer: 'Action: get_weather\nAction Input: {"city": "Bern"}',
    calls: [bern],
  },
  {
    // LangChain's prompt for structured chat (hub: hwchase17/structured-chat-agent).
    name: "LangChain's structured chat",
    answer:
      'Action:\n```json\n{\n  "action": "get_weather",\n  "action_input": {"city": "Bern"}\n}\n```',
    calls: [bern],
    text: "Action:",
  },
];
