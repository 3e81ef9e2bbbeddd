/** What calls an agent (wire-contract 5.1); a message that is nothing else stays a question. */
const agentTrigger = /^@agent\s*(?=\S)/;

/** A message as the call of an agent, which may be empty, and the question to it. */
interface CalledQuestion {
  agentCall: string;
  question: string;
}

export const withoutCall = (message: string): CalledQuestion => ({
  agentCall: "",
  question: message,
});

export function readAgentCall(message: string): CalledQuestion {
  const agentCall = agentTrigger.exec(message)?.[0] ?? "";
  return agentCall === ""
    ? withoutCall(message)
    : { agentCall, question: message.slice(agentCall.length).trimEnd() };
}
