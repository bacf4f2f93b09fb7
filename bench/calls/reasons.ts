/** Why a case is not read as its source expects, by the id of the case. What is not here is open. */
export const reasons: Readonly<Record<string, string>> = {
  'ai-sdk-tool-call-middleware/hermes/005e76c2':
    'the source rejects the whole call for this; we read it, and say what is wrong',
  'ai-sdk-tool-call-middleware/hermes/25e55f04':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'ai-sdk-tool-call-middleware/hermes/4cad6015':
    'the case configures marks of its own, which a named dialect cannot know',
  'ai-sdk-tool-call-middleware/hermes/4e19dcc5':
    'the case configures marks of its own, which a named dialect cannot know',
  'ai-sdk-tool-call-middleware/hermes/5fdf20db':
    'an escape that JSON does not have keeps its backslash: it is more often a regular expression or a path',
  'ai-sdk-tool-call-middleware/hermes/7a59134f':
    'the case configures marks of its own, which a named dialect cannot know',
  'ai-sdk-tool-call-middleware/hermes/8a3d7fce': 'a quote before a brace ends its string',
  'ai-sdk-tool-call-middleware/hermes/97a57e64':
    'the source rejects the whole call for this; we read it, and say what is wrong',
  'ai-sdk-tool-call-middleware/hermes/aad32b50':
    'the source drops a call whose end mark is missing before the next call; we read both',
  'ai-sdk-tool-call-middleware/hermes/ba713c65':
    'the case configures marks of its own, which a named dialect cannot know',
  'ai-sdk-tool-call-middleware/hermes/ddced691':
    'the source drops a call whose end mark is missing before the next call; we read both',
  'ai-sdk-tool-call-middleware/hermes/fb496318':
    'the source drops a call whose end mark is missing before the next call; we read both',
  'ai-sdk-tool-call-middleware/hermes/fd16caaa':
    'the source drops a call whose end mark is missing before the next call; we read both',
  'ai-sdk-tool-call-middleware/hermes/fe3a2d84':
    'the source counts a key as forbidden when the pattern takes too long',
  'ai-sdk-tool-call-middleware/qwen3-coder/03f6f22d': 'half a mark behind a call is no content',
  'ai-sdk-tool-call-middleware/qwen3-coder/0887b245': '`null` for a type that allows null is null',
  'ai-sdk-tool-call-middleware/qwen3-coder/5f6d4add':
    'the sources disagree about white space around calls and values',
  'ai-sdk-tool-call-middleware/qwen3-coder/66ef6eb5':
    'entities are decoded only in dialects whose template writes them',
  'ai-sdk-tool-call-middleware/qwen3-coder/c3ebaf90':
    'a closing tag at the end of the value is not a part of it',
  'ai-sdk-tool-call-middleware/qwen3-coder/d36ef6f3':
    'the tag of a call within an unclosed value is text: a file may hold it',
  'ai-sdk-tool-call-middleware/qwen3-coder/e48455db':
    'the case has the marks of another dialect; `auto` reads it, the named dialect is strict',
  'ai-sdk-tool-call-middleware/qwen3-coder/fcfdfd82':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'ai-sdk-tool-call-middleware/tool-name-xml/44d6bbe0':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'ai-sdk-tool-call-middleware/tool-name-xml/5a13bcbf':
    'a value without a type is read the same way whether it is repeated or not',
  'ai-sdk-tool-call-middleware/yaml-in-xml/0b38890e':
    'the case has the marks of another dialect; `auto` reads it, the named dialect is strict',
  'ai-sdk-tool-call-middleware/yaml-in-xml/62543b56':
    'the case has the marks of another dialect; `auto` reads it, the named dialect is strict',
  'ai-sdk-tool-call-middleware/yaml-in-xml/aa9cbed6':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'llama.cpp-old/deepseek-v3.1/1fc9b35b':
    'the source calls unclosed reasoning content; for us the prompt has opened it',
  'llama.cpp-old/deepseek-v3.1/48c74dc5':
    'the source waits for the end of the reasoning; the text ends without it, so the call is meant',
  'llama.cpp-old/functionary-v3.2/02d49541':
    'the first mark is in the prompt, so that nothing in the text tells the dialect',
  'llama.cpp-old/functionary-v3.2/6ae1b4bf':
    'the first mark is in the prompt, so that nothing in the text tells the dialect',
  'llama.cpp-old/functionary-v3.2/7c87d0cb':
    'the first mark is in the prompt, so that nothing in the text tells the dialect',
  'llama.cpp-old/functionary-v3.2/9bf95d30':
    'the first mark is in the prompt, so that nothing in the text tells the dialect',
  'llama.cpp-old/generic-json/df948599':
    'an object with a `response` is left as it is: it may be the answer that was asked for',
  'llama.cpp-old/glm-4.5/ca681969': 'the source puts a line break between two stretches of content',
  'llama.cpp-old/granite3/848b8c67': 'half a mark at the end of the text is content',
  'llama.cpp-old/hermes-loose/4dd3df74':
    'the case has the marks of another dialect; `auto` reads it, the named dialect is strict',
  'llama.cpp-old/hermes-loose/7e0de278':
    'the case has the marks of another dialect; `auto` reads it, the named dialect is strict',
  'llama.cpp/apriel-1.6/889cb25e':
    'the source puts back what its prompt template had written before the reply',
  'llama.cpp/qwen3-coder/11d3ad67':
    'the source puts back what its prompt template had written before the reply',
  'llama.cpp/qwen3-coder/3a00f38a':
    'the source puts back what its prompt template had written before the reply',
  'roo-code/tool-name-xml/a2df1686': 'the sources disagree about white space around calls and values',
  'sglang/muse-glimmer/270c77da': 'the sources disagree about white space around calls and values',
  'vllm/deepseek-v3.1/6b61d500': 'the source drops text around calls; we keep all of it',
  'vllm/hunyuan-a13b/13581f97': 'the source drops text around calls; we keep all of it',
  'vllm/kimi-k2/2c599e64': 'the source rejects an id without a colon; the name can be read',
  'vllm/lfm2/57c6d580': 'the same call twice is two calls',
  'vllm/lfm2/e83eef09': 'the sources disagree about white space around calls and values',
  'vllm/llama3-json/414de581': 'the source drops text around calls; we keep all of it',
  'vllm/minicpm5-xml/00f7e6fe': 'the source drops text around calls; we keep all of it',
  'vllm/minicpm5-xml/119df4d7':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'vllm/minicpm5-xml/285450a1':
    'the source drops arguments that the schema does not mention; JSON Schema allows them',
  'vllm/minicpm5-xml/86985cdb': 'the source drops text around calls; we keep all of it',
  'vllm/mistral-args/9523515c': 'the source drops text around calls; we keep all of it',
  'ai-sdk-tool-call-middleware/tool-name-xml/3f89c9bc': 'where a value has no end, nothing behind it runs',
  'llama.cpp-old/hermes-loose/ecfeb167':
    'a call without marks among words is only shown; `expect: calls` reads it',
  'sglang/json-array/254197e2': 'a list that breaks off within its last call is not taken without marks',
  'sglang/json-array/ff2bfd75': 'a list that breaks off within its last call is not taken without marks',
  'vllm/llama3-json/72903546': 'a call without marks among words is only shown; `expect: calls` reads it',
  'vllm/xlam/2bdec0f7': 'a call without marks among words is only shown; `expect: calls` reads it',
}
