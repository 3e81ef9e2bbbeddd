import type { WrittenAnswer } from "./written-calls.fixture.ts";

const bern: [string, unknown] = ["get_weather", { city: "Bern" }];
const rent: [string, unknown] = ["search_documents", { query: "rent" }];

/** What models make of their forms, after reports to their servers and clients. */
export const broken: WrittenAnswer[] = [
  {
    // ollama#11662, omlx#2565, openclaude#433: the JSON alone.
    name: "without its tags, in several lines",
    answer: '{\n  "name": "search_documents",\n  "arguments": {\n    "query": "rent"\n  }\n}',
    calls: [rent],
  },
  {
    // groq-typescript#28.
    name: "OpenAI's own form in a fence",
    answer:
      '```\n{\n  "tool_calls": [\n    {\n      "id": "pending",\n      "type": "function",\n      "function": {"name": "get_weather"},\n      "parameters": {"city": "Bern"}\n    }\n  ]\n}\n```',
    calls: [bern],
  },
  {
    name: "a chatty answer around a fence",
    answer:
      'Sure! I will check this for you:\n\n```json\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n```\n\nLet me know if you need more.',
    calls: [bern],
    text: "Sure! I will check this for you:\n\nLet me know if you need more.",
  },
  {
    // vllm#46863.
    name: "a type first, cut before its braces",
    answer: '{"type": "function", "name": "get_weather", "parameters": {"city": "Bern"',
    calls: [bern],
  },
  {
    // vllm#16214.
    name: "Llama 4's other token",
    answer: '<|python_start|>{"name": "get_weather", "parameters": {"city": "Bern"}}<|python_end|>',
    calls: [bern],
  },
  {
    // vllm#30722.
    name: "a list of Python calls without its end",
    answer: 'get_weather(city="Bern", days=[1, 2]',
    calls: [["get_weather", { city: "Bern", days: [1, 2] }]],
  },
  {
    // omlx#844.
    name: "Qwen3-Coder without the outer tag",
    answer:
      "I'll look.\n\n<function=get_weather>\n<parameter=city>\nBern\n</parameter>\n</function>\n</tool_call>",
    calls: [bern],
    text: "I'll look.",
  },
  {
    // llama.cpp#24807.
    name: "a closing tag twice",
    answer:
      "<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</parameter>\n<parameter=content>\none\ntwo\n</parameter>\n</function>\n</tool_call>",
    calls: [["write_file", { path: "a.txt", content: "one\ntwo" }]],
  },
  {
    // unsloth#5620.
    name: "no closing tags at all",
    answer: "<tool_call>\n<function=get_weather>\n<parameter=city>\nBern",
    calls: [bern],
  },
  {
    // mlx-omni-server#126.
    name: "a name in a tag and bare arguments",
    answer:
      'Let me check...\n<tool_call>\n<function>get_weather</function>\n{"city": "Bern"}\n</tool_call>',
    calls: [bern],
    text: "Let me check...",
  },
  {
    // Reports to Groq's API on Llama 3 (failed_generation).
    name: "arguments within the tag",
    answer: '<function=get_weather{"city": "Bern"}</function>',
    calls: [bern],
  },
  {
    name: "an opening tag as the closing one",
    answer: '<function=get_weather>{"city": "Bern"}<function>',
    calls: [bern],
  },
  {
    // odysseus#6013, vllm#48353, ai-sdk-tool-call-middleware#297.
    name: "a closing tag in an argument",
    answer:
      '<tool_call>{"name":"write_file","arguments":{"path":"notes.txt","content":"alpha </tool_call> omega"}}</tool_call>',
    calls: [["write_file", { path: "notes.txt", content: "alpha </tool_call> omega" }]],
  },
  {
    // ai-sdk-tool-call-middleware#298.
    name: "line breaks in a text",
    answer:
      '<tool_call>{"name":"write_file","arguments":{"path":"a","content":"line1\nline2"}}</tool_call>',
    calls: [["write_file", { path: "a", content: "line1\nline2" }]],
  },
  {
    name: "quotes in a text",
    answer:
      '<tool_call>{"name":"write_file","arguments":{"path":"a","content":"He said "hello" to me"}}</tool_call>',
    calls: [["write_file", { path: "a", content: 'He said "hello" to me' }]],
  },
  {
    // hermes-agent#110436.
    name: "backslashes",
    answer: String.raw`<tool_call>{"name":"search_documents","arguments":{"query":"C:\path \d+"}}</tool_call>`,
    calls: [["search_documents", { query: String.raw`C:\path \d+` }]],
  },
  {
    // langchain-qwq#30.
    name: "a brace too many",
    answer: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}}\n</tool_call>',
    calls: [bern],
  },
  {
    name: "a brace too few",
    answer: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}\n</tool_call>',
    calls: [bern],
  },
  {
    // mlx-lm#1393.
    name: "arguments as a text",
    answer:
      '[TOOL_CALLS] [{"name": "get_weather", "arguments": "{\\"city\\": \\"Bern\\"}", "id": "a1"}]',
    calls: [bern],
  },
  {
    name: "single quotes, bare keys, comments and commas",
    answer:
      "<tool_call>\n{name: 'get_weather', // the weather\n 'arguments': {city: 'Bern', metric: True,},}\n</tool_call>",
    calls: [["get_weather", { city: "Bern", metric: true }]],
  },
  {
    // Kimi K2 behind a gateway: "null" and a text before the arguments.
    name: "Kimi without its section",
    answer:
      '<|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>"{\\"city\\": \\"Bern\\"}"<|tool_call_end|><|tool_calls_section_end|><|tool_calls_section_end|>',
    calls: [bern],
  },
  {
    // Rapid-MLX#480: a server stripped the tokens.
    name: "gpt-oss without its tokens",
    answer: 'commentary to=functions.get_weather json{"city":"Bern"}',
    calls: [bern],
  },
  {
    // imp#1719: the end token never arrives.
    name: "gpt-oss without its end",
    answer:
      '<|channel|>analysis<|message|>Hm.<|end|>\n<|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Bern"}',
    calls: [bern],
  },
  {
    // command-code#909.
    name: "DeepSeek with two bars and blanks",
    answer:
      'Let me read it.\n\n<｜｜DSML｜｜ calls>\n<｜｜DSML｜｜ invoke name="get_weather">\n<｜｜DSML｜｜ parameter name="city" string="true">Bern</｜｜DSML｜｜ parameter>\n</｜｜DSML｜｜ invoke>\n</｜｜DSML｜｜ calls>',
    calls: [bern],
    text: "Let me read it.",
  },
  {
    // vllm#48931.
    name: "DeepSeek without its beginning",
    answer:
      '<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Bern</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    calls: [bern],
  },
  {
    name: "a made-up result after the call",
    answer:
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bern"}}\n</tool_call>\n<tool_response>\nSunny.\n</tool_response>\nIt is sunny.',
    calls: [bern],
  },
  {
    name: "the same call three times",
    answer:
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Bern"}}</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {"city": "Bern"}}</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {"city":"Bern"}}</tool_call>',
    calls: [bern],
  },
  {
    name: "a misspelt name",
    answer: '<tool_call>{"name": "searchDocument", "arguments": {"query": "rent"}}</tool_call>',
    calls: [rent],
  },
  {
    name: "an unknown name",
    answer: '<tool_call>{"name": "brave_search", "arguments": {"query": "rent"}}</tool_call>',
    calls: [["brave_search", { query: "rent" }]],
  },
  {
    // hermes-agent#110436: the arguments beside the name.
    name: "flat arguments",
    answer: '<tool_call>{"name": "search_documents", "query": "rent", "limit": "3"}</tool_call>',
    calls: [["search_documents", { query: "rent", limit: 3 }]],
  },
  {
    name: "no arguments",
    answer: '<tool_call>\n{"name": "list_files"}\n</tool_call>',
    calls: [["list_files", {}]],
  },
  {
    name: "a call after reasoning that considers another",
    answer:
      '<think>Maybe <tool_call>{"name": "list_files"}</tool_call>? No.</think>\n<tool_call>{"name": "get_weather", "arguments": {"city": "Bern"}}</tool_call>',
    calls: [bern],
  },
  {
    name: "a call in reasoning and nothing else",
    answer: '<think>\nI call it.\n<tool_call>{"name": "list_files"}</tool_call>\n</think>',
    calls: [["list_files", {}]],
  },
  {
    name: "Python in a sentence's place",
    answer: 'search_documents(query="rent", limit=3)',
    calls: [["search_documents", { query: "rent", limit: 3 }]],
  },
  {
    name: "Python with a bare argument",
    answer: '```python\nresult = search_documents("rent")\n```',
    calls: [rent],
  },
  {
    name: "a tool by Gemini's prefix",
    answer: '```tool_code\nprint(default_api.get_weather(city = "Bern"))\n```',
    calls: [bern],
  },
];

/** Text about calls, which stays as it is. */
export const mentions: string[] = [
  "Use the <tool_call> tag to call a tool, and close it with </tool_call>.",
  "Models write `<tool_call>{...}</tool_call>` for that.",
  'An example:\n\n```json\n{"name": "Bern", "parameters": {"country": "CH"}}\n```\n\nThat is all.',
  '```json\n{"city": "Bern", "days": [1, 2]}\n```',
  "```xml\n<config><name>search</name></config>\n```\nDone.",
  "The function search_documents(query) searches documents.",
  "search_documents() is called without arguments here.",
  'He wrote {"name": "Tim", "age": 3} on the board.',
  "Action: open the window.\nThen sit down.",
  "a < b and [1, 2] and {x} and f(x) * 2\n* one\n* two",
  "```python\ndef get_weather(city):\n    return city\n```",
  "```js\nconst x = { a: 1 };\n```\ntext",
  "[TODO] write more.\n[link](https://example.org)",
  'A set {"a", "b"} and an array [{"id": 1}].',
  "<p>Hello</p>\n<function>f</function>",
  "~~~\nplain\n~~~\n",
];
