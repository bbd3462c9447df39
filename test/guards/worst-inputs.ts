import { commandLiterals, ours, type Worst } from './worst-command-inputs.ts'

export { ours, type Worst } from './worst-command-inputs.ts'

/**
 * Every regular expression of the product with its slowest inputs: for each part that repeats, one that matches for long
 * and then fails.
 */
export const literals: Readonly<Record<string, Worst | typeof ours>> = {
  ...commandLiterals,

  // Saved states.
  [String.raw`/^fault-[1-9]\d{0,14}$/`]: [['fault-1', '0', 'x']],
  [String.raw`/^scenario-[1-9]\d{0,14}$/`]: [['scenario-1', '0', 'x']],
  [String.raw`/^\d{1,16}$/`]: [['', '1', 'x']],
  [String.raw`/^[0-9a-f]{64}$/`]: [['', 'a', 'x']],

  // Requests to explain.
  [String.raw`/^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]{1,20}$/`]: [['', 'A', 'x']],
  [String.raw`/^[\x20-\x7e]*$/`]: [['', ' ', 'ü']],

  // URLs and headers of requests.
  [String.raw`/\/$/`]: [['', '/', 'x']],
  [String.raw`/(?<!\/)\/+$/`]: [
    ['', '/', 'x'],
    ['', '/x', ''],
  ],
  [String.raw`/\/+(?=\/|$)/g`]: [['', '/', 'x']],
  [String.raw`/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/`]: [['127', '.1', '']],
  [String.raw`/^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i`]: [['127', '.1', '']],
  [String.raw`/^\/(?:v1|_sandbox|docs|openapi\.json)(?:[/?]|$)/`]: [['/v1', '/', '']],
  [String.raw`/\/(?:v1\/?)?$/`]: [['', '/v1', 'x']],
  [String.raw`/^\/(?:v1|_sandbox(?!\/sessions\/))(?:\/|$)/`]: [['/_sandbox', '/sessions', '']],
  [String.raw`/^(?:[/?#]|$)/`]: [['', '/', '']],
  [String.raw`/^bearer +(\S.*)$/i`]: [
    ['bearer', ' ', '\n'],
    ['bearer ', 'x ', '\n'],
  ],
  [String.raw`/^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i`]: [
    ['bearer', ' ', '!'],
    ['bearer ', 'x', '!'],
    ['bearer x', '=', '!'],
    ['bearer x', ' ', '!'],
  ],
  [String.raw`/^([^:@/\s[\]]+|\[[0-9a-f]*:[0-9a-f:.]*\])(?::(\d{1,5}))?$/i`]: [
    ['', 'x', '/'],
    ['[', '0', '/'],
    ['[', ':', '/'],
  ],
  [String.raw`/^\[(.*)\]$/`]: [['[', ']', 'x']],
  [String.raw`/(?<=[?&])(?:offset|limit)=\d*&?/g`]: [
    ['?', 'limit=', ''],
    ['?limit=', '1', ''],
    ['', '&', ''],
  ],
  [String.raw`/[?&]$/`]: [['', '&', 'x']],
  [String.raw`/^\d{1,15}$/`]: [['', '1', '']],
  [String.raw`/^\/_sandbox\/sessions\/([^/]+)(\/v1(?:\/.*)?)$/`]: [
    ['/_sandbox/sessions/', 'x', ''],
    ['/_sandbox/sessions/x/v1/', '/v1', '\n'],
  ],
  [String.raw`/^\/_sandbox\/sessions\/([^/]+)$/`]: [['/_sandbox/sessions/', 'x', '/']],
  [String.raw`/^\/_sandbox\/sessions\/[^/]+\/v1(?:\/|$)/`]: [['/_sandbox/sessions/', 'x', '']],
  [String.raw`/^\/_sandbox\/sessions\/[^/?]+(?=\/v1(?:[/?]|$))/`]: [['/_sandbox/sessions/', 'x', '/']],
  [String.raw`/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i`]: [
    ['a', 'a', ' '],
    ['http://', 'x', ''],
  ],
  [String.raw`/^\/[^#]*$/`]: [['/', 'x', '#']],
  [String.raw`/^\/v1(?:[/?]|$)/`]: [['/v1', '/', '']],
  [String.raw`/^\/v1(?:\/|$)/`]: [['/v1', '/', '']],
  [String.raw`/^\/v1(?=\/)/`]: [['/v1', '/', '']],
  [String.raw`/^sbx_(.+)_([1-9]\d*)(?:~([1-9]\d{0,5}))?$/`]: [
    ['sbx_', '_', 'x'],
    ['sbx_', '_1', 'x'],
    ['sbx_a_1', '1', 'x'],
    ['sbx_a_1~1', '1', 'x'],
  ],
  [String.raw`/sbx_[\w.~-]+/g`]: [
    ['', 'sbx_', ' '],
    ['', 'sbx_ ', ''],
  ],
  [String.raw`/(?:authorization|cookie|api-?key|token|secret|password)$/`]: [['', 'token', 'x']],
  [String.raw`/^(?:(?:access|auth|refresh|id)?[_-]?token|api[_-]?key|(?:client[_-]?)?secret|password|authorization)$/i`]:
    [['', 'token', 'x']],
  [String.raw`/^(Bearer|Basic|Digest) +\S/i`]: [['Bearer', ' ', '']],
  [String.raw`/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g`]: [
    ['', '"', ''],
    ['"', '\\', ''],
    ['"', '\\\n', ''],
    ['', ',', ''],
    ['', '"x', ','],
  ],
  [String.raw`/^[ \t]*([!#$%&'*+\-.^_` +
  '`' +
  String.raw`|~\w]+)[ \t]*(?:=[ \t]*(?:(?:([!#$%&'*+\-.^_` +
  '`' +
  String.raw`|~\w]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?)?(?:;.*)?$/`]: [
    ['', ' ', '@'],
    ['', 'a', '@'],
    ['a', ' ', '@'],
    ['a=', ' ', '@'],
    ['a=', 'b', '@'],
    ['a=b', ' ', '@'],
    ['a="', '\\"', '@'],
    ['a=""', ' ', '@'],
    ['a;', ';', '\n'],
  ],
  [String.raw`/\\(.)/g`]: [['', '\\', '']],
  [String.raw`/^\d{3}$/`]: [['', '2', '']],
  [String.raw`/^(\d{1,9}(?:\.\d{1,9})?)(ms|s)?$/`]: [['', '1', '']],

  // Values of queries and records.
  [String.raw`/^(.+)\[\d*\]$/`]: [
    ['', '[', 'x'],
    ['', '[1', 'x'],
    ['[', '1', 'x'],
    ['', '[1]', 'x'],
  ],
  [String.raw`/^([^=]*)=(.*)$/s`]: [['', 'x', '']],
  [String.raw`/^\d{4}-\d\d-\d\d$/`]: [['2026-01-15', '1', '']],
  [String.raw`/^\d{4}-\d\d-\d\dT/`]: [['2026-01-15T', 'T', '']],
  [String.raw`/^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z$/`]:
    [['2026-01-15T12:00:00.', '0', '']],
  [String.raw`/^\d+$/`]: [['', '1', 'x']],
  [String.raw`/^(?:\d+|-0*[1-9]\d*)$/`]: [
    ['', '1', 'x'],
    ['-', '0', 'x'],
  ],
  [String.raw`/^ *[+-]?\d+(?:\.0*)?(?:e\+?\d+)? *$/i`]: [
    ['', ' ', 'x'],
    ['', '1', 'x'],
    ['1.', '0', 'x'],
    ['1e', '1', 'x'],
    ['1', ' ', 'x'],
  ],
  [String.raw`/^(.{16})(?::(\d\d)(?:\.(\d+))?)?Z$/`]: [['2026-01-15T12:00:00.', '0', '']],
  [String.raw`/(?<!0)0+$/`]: [
    ['', '0', '1'],
    ['', '10', '1'],
  ],
  [String.raw`/(\.\d{3})\d+Z$/`]: [
    ['.', '0', ''],
    ['', '.0000', ''],
  ],
  [String.raw`/\.\d+Z$/`]: [
    ['.', '0', ''],
    ['', '.0', ''],
  ],
  [String.raw`/Z$/`]: [['', 'Z', 'x']],
  [String.raw`/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{3})?(?:Z|\+00:00)$/`]: [
    ['2026-01-15T12:00:00.000', '0', ''],
  ],
  [String.raw`/\.\d{4}/`]: [['', '.000', '']],
  [String.raw`/^(.*)memberIds\[(\d+)\]$/`]: [
    ['', 'memberIds[', ''],
    ['', 'memberIds[1]', 'x'],
    ['memberIds[', '1', ''],
  ],
  [String.raw`/[.[\]]+/`]: [['', '.', 'x']],
  [String.raw`/[iI]d(?:s\[\d+\])?$/`]: [
    ['', 'ids[', ''],
    ['ids[', '1', ''],
  ],
  [String.raw`/\[\d*\]$/`]: [
    ['', '[', 'x'],
    ['[', '1', 'x'],
    ['', '[]', 'x'],
  ],
  [String.raw`/\p{Surrogate}/gu`]: [['', '\ud800', '']],
  [String.raw`/\p{Surrogate}/u`]: [['', 'x', '']],
  [String.raw`/[^\x20-\x7e]/gu`]: [['', '\u00e9', '']],
  [String.raw`/^[^a-z -]*$/`]: [['', 'X', 'x']],
  [String.raw`/([a-z])([A-Z])/g`]: [['', 'aA', '']],
  [String.raw`/[\s-]+/g`]: [
    ['', '-', 'x'],
    ['', '- x', ''],
  ],
  [String.raw`/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/`]: [['', 'x', '']],
  [String.raw`/^.{1,200}$/su`]: [['', 'x', '']],
  [String.raw`/^now(?:([+-])(?:(\d{1,5})d)?(?:(\d{1,5})h)?(?:(\d{1,5})m)?)?$/`]: [['now+', '1', '']],
  [String.raw`/[+-]$/`]: [['', '+', 'x']],

  // Faults.
  [String.raw`/^[!#$%&'*+\-.^_` + '`' + String.raw`|~0-9A-Za-z]{1,100}$/`]: [['', 'x', '']],
  [String.raw`/^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/`]: [
    ['x', ' ', ''],
    ['', 'x', '\n'],
  ],
  [String.raw`/[?#]/`]: [['', '/', '']],
  [String.raw`/^\*+$|^:|[{}]/`]: [['', '*', 'x']],
  [String.raw`/^\{\w+\}$/`]: [['{', 'x', '']],

  // Texts generated for arranged records.
  [String.raw`/^(?:Onboarding|Go-live)/i`]: [['', 'Go-', '']],
  [String.raw`/^(?:Training|Refresher)/i`]: [['', 'Train', '']],
  [String.raw`/check-in/i`]: [['', 'check-', '']],
  [String.raw`/review/i`]: [['', 'revie', '']],
  [String.raw`/renewal/i`]: [['', 'renewa', '']],
  [String.raw`/^(?:Escalation|Incident)/i`]: [['', 'Escalatio', '']],
  [String.raw`/roadmap/i`]: [['', 'roadma', '']],
  [String.raw`/^Executive/i`]: [['', 'Executiv', '']],
  [String.raw`/^(?:Integration|Connecting)/i`]: [['', 'Integratio', '']],
  [String.raw`/^(?:Offboarding|Data handover)/i`]: [['', 'Data ', '']],
  [String.raw`/:(\w+)/g`]: [
    ['', ':', ''],
    [':', 'x', ''],
  ],
  [String.raw`/^\/_sandbox\/(\w+)/`]: [['/_sandbox/', 'x', '/']],
  [String.raw`/\{(\w+)\}/g`]: [
    ['{', 'x', ''],
    ['', '{x', ''],
  ],
  [String.raw`/[^a-zA-Z0-9]/g`]: [['', '-', '']],
  [String.raw`/^[a-z]+$/`]: [['', 'x', '!']],
  [String.raw`/[ßłøæðþ]/g`]: [['', 'ß', '']],
  [String.raw`/[^a-z0-9-]/g`]: [['', '!', '']],
  [String.raw`/Analyst|Operations|Assistant/`]: [['', 'Analys', '']],
  [String.raw`/Implementation/`]: [['', 'Implementatio', '']],
  [String.raw`/Lead|Head|VP|Director|Chief/`]: [['', 'Lea', '']],
  [String.raw`/Account/`]: [['', 'Accoun', '']],
  [String.raw`/,? (?:Inc\.|LLC|Corp\.|Ltd\.?|plc|S\.A\. de C\.V\.|Ltda\.|DAC|GmbH|AG|SE|SAS|SA|S\.[AL]\.|[BN]\.V\.|AB|Sp\. z o\.o\.|S\.p\.A\.|S\.r\.l\.|(?:Pvt|Pty|\(Pty\)) Ltd|K\.K\.)$/`]:
    [
      ['', ', ', 'x'],
      ['', ' Inc.', 'x'],
    ],

  // The console.
  [String.raw`/^#\/?/`]: [['#', '/', '']],
  [String.raw`/^\/v1\/organizations\/[^/]+(?=\/)/`]: [['/v1/organizations/', 'x', '']],
  [String.raw`/^(?:host|connection|keep-alive|content-length|transfer-encoding|te|upgrade|expect|accept-encoding|accept-language|user-agent|origin|referer|cache-control|pragma|priority|dnt|cookie|sandbox-session|sec-.*)$/`]:
    [['sec-', 'x', '\n']],
  [String.raw`/\s+/`]: [
    ['', ' ', 'x'],
    ['', ' x', ''],
  ],
  [String.raw`/^p[\dtymwdhs.,]+$/`]: [['p', '1', 'x']],
  [String.raw`/(?<=\d)(?=[a-z])/g`]: [['', '1', '']],
  [String.raw`/[:=]/`]: [['', 'x', '']],
  [String.raw`/[\s,]+/`]: [['', ', ', 'x']],

  // Errors of zod, stacks and headers.
  [String.raw`/[.?!]$/`]: [['', '.', 'x']],
  [String.raw`/^\/(?:_sandbox(?:\/(?:assets\/.*)?)?|docs(?:\/.*)?|llms\.txt)?$/`]: [['/docs/', 'x', '\n']],
  [String.raw`/^\[0\]\.?/`]: ours,
  [String.raw`/\n\s+at .*(\n\s+at [\s\S]*)/`]: ours,
  [String.raw`/^application\/json *(?:; *charset *= *(?:utf-?8|"utf-?8") *)?$/i`]: [
    ['application/json', ' ', 'x'],
    ['application/json;', ' ', 'x'],
    ['application/json;charset=utf-8', ' ', 'x'],
  ],
  [String.raw`/^(?:identity)?$/i`]: [['', 'identity', '']],

  // Field names, zod messages, paths of the document, and numbers.
  [String.raw`/\B(?=(?:\d{3})+$)/g`]: ours,
  [String.raw`/Id$/`]: ours,
  [String.raw`/ies$/`]: ours,
  [String.raw`/s$/`]: ours,
  [String.raw`/^[aeio]/`]: ours,
  [String.raw`/\{(?!organizationId)/`]: ours,
  [String.raw`/instant|date/`]: ours,
  [String.raw`/^Invalid input: expected (\w+), received (\w+)$/`]: ours,
  [String.raw`/^Invalid input: expected (.+), received (.+)$/`]: ours,
  [String.raw`/^Invalid option: expected one of (.+)$/`]: ours,
  [String.raw`/^Too (?:small|big): expected .+? to (?:be|have) /`]: ours,
  [String.raw`/[.*+?^` + '$' + String.raw`{}()|[\]\\]/g`]: ours,
  // Texts of the generators.
  [String.raw`/[.]$/`]: [['', '.', 'x']],
  [String.raw`/^(?:Project )?Kick-?off/i`]: [['Project ', 'Kick', '']],
  [String.raw`/^Discovery/i`]: [['', 'Discover', '']],
  [String.raw`/^(?:Introduction|Demo)/i`]: [['', 'Dem', '']],
  [String.raw`/(^|[.?!] )([a-z])/g`]: [
    ['', '. ', ''],
    ['', 'a', ''],
  ],
  [String.raw`/^(Mc|D[ae] |L[ae] )(\w)/`]: ours,
  [String.raw`/^\w{5,6}$/`]: ours,
  [String.raw`/^\p{Lu}[\p{L} ]+$/u`]: ours,
  [String.raw`/\[([^\]]*)\]/g`]: ours,
  [String.raw`/[^a-z]/`]: ours,
  [String.raw`/(?<=[sc]k|dzk)i$|y$/`]: ours,
  [String.raw`/^America\/(?:New_York|Chicago|Denver|Los_Angeles|Toronto|Vancouver|Edmonton)$/`]: ours,
  [String.raw`/^Europe\/|^Atlantic\/Canary$/`]: ours,
  [String.raw`/^Australia\/(?:Sydney|Melbourne)$/`]: ours,
  [String.raw`/\{\{(?:customer|contact|title|other|leaver)\}\}/`]: ours,
  [String.raw`/\{\{(\w+)\}\}/`]: ours,
  [String.raw`/^[A-Z][a-z]+(?: [A-Z][a-z]+)?$/`]: ours,
  [String.raw`/^[A-Z][a-z]+$/`]: ours,
  [String.raw`/^[HGO]: /`]: ours,
  [String.raw`/^\{\{(?:host|contact|other)\}\}: /`]: ours,
  [String.raw`/^[a-z][A-Za-z]+$/`]: ours,
  [String.raw`/^[A-Z][a-z]+\/[A-Za-z_]+$/`]: ours,
  [String.raw`/^[a-z][A-Za-z]*$/`]: ours,
  [String.raw`/^to /`]: ours,
  [String.raw`/[{}]/`]: ours,
  [String.raw`/\{\{\w+\}\}/g`]: ours,
  [String.raw`/^[HSGO]: /`]: ours,
  [String.raw`/^H: /`]: ours,
}
