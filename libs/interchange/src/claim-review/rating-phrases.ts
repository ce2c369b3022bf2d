/**
 * Whole ratings that say true, false or nothing, as fact-checkers write them, folded as `foldRating` does and
 * parted by bars. A rating that is not among them is a value of its own, so that a phrase may be missing
 * here and none may be ambiguous.
 */
const TRUE = [
  'true | correct | accurate | right | verified | confirmed | yes | y | geppetto checkmark | the geppetto checkmark',
  'verdadero | verdadera | cierto | cierta | correcto | es verdad | si',
  'verdadeiro | verdadeira | certo | correto | comprovado | verdade | fato | sim',
  'vrai | vraie | exact | oui',
  'wahr | richtig | korrekt | zutreffend | stimmt | das stimmt | ja',
  'vero | vera | corretto',
  'waar | juist | klopt | dit klopt',
  'adevarat | dogru | evet | benar',
];
const FALSE = [
  'false | fake | incorrect | inaccurate | untrue | wrong | hoax | fabricated | debunked | no | n',
  'not true | not correct | not accurate | not true at all | pants on fire | four pinocchios | 4 pinocchios',
  'factually incorrect | factually inaccurate',
  'false claim | false news | fake news',
  'falso | falsa | bulo | es un bulo | mentira | incorrecto | noticia falsa',
  'no es verdad | no es cierto | no es verdadero',
  'errado | incorreto | nao | nao e verdade | nao e verdadeiro',
  'faux | fausse | fausse information | infox | inexact | pas vrai | ce n’est pas vrai | non',
  'falsch | unwahr | erfunden | frei erfunden | gefalscht | falschmeldung | nein',
  'nicht wahr | nicht richtig | nicht korrekt | stimmt nicht | das stimmt nicht',
  'notizia falsa | bufala | sbagliato | errato | non vero | non e vero',
  'onwaar | onjuist | vals | nep | nepnieuws | fout | nee',
  'niet waar | niet juist | niet correct | klopt niet | dit klopt niet',
  'fals | neadevarat | nu este adevarat',
  'yanlis | dogru degil | hayir | salah | keliru | hoaks | tidak benar',
];
const NOTHING = [
  'none | no rating | no verdict | no verdict yet | no conclusion | no conclusion yet | no consensus',
  'no consensus yet | no ruling | no ruling yet | unrated | not rated | not yet rated | not assessed | n/a | na',
  'not applicable | unproven | not proven | unproved | unverified | not verified | unverifiable | unconfirmed',
  'not confirmed | cannot be verified | can’t be verified | could not be verified | unsupported | unsubstantiated',
  'no evidence | no evidence yet | not enough evidence | insufficient evidence | lacks evidence | inconclusive',
  'undetermined | undecided | unknown | unclear | legend | in progress | research in progress | pending',
  'verdict pending | under review | hard to categorize | too early to say | too early to tell | too soon to say',
  'too soon to tell',
  'sin pruebas | no hay pruebas | sin evidencia | no hay evidencia | no verificado | no verificable | sin verificar',
  'inverificable | inchequeable | no comprobado | sin veredicto | sin calificacion',
  'sem provas | nao ha provas | sem evidencias | nao comprovado | nao verificado | inverificavel | inconclusivo',
  'sem veredicto | ainda e cedo para dizer',
  'non prouve | non verifie | non verifiable | inverifiable | aucune preuve | sans preuve | indetermine',
  'unbelegt | nicht belegt | keine belege | unbewiesen | nicht bewiesen | nicht uberprufbar | keine bewertung',
  'kein urteil | unklar',
  'non verificato | non verificabile | non dimostrato | senza prove | nessuna prova | nessun verdetto',
  'onbewezen | niet bewezen | geen bewijs | geen oordeel | niet te checken | niet te controleren | onduidelijk',
  'imposibil de verificat | neverificabil | belirsiz | tidak terbukti | belum terbukti | belum terverifikasi',
];

export type Meaning = 'true' | 'false' | 'nothing';

export const PHRASES: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({ true: TRUE, false: FALSE, nothing: NOTHING }).flatMap(([meaning, lines]) =>
    lines.flatMap((line) => line.split(' | ')).map((phrase) => [phrase, meaning as Meaning] as const),
  ),
);

const oneOf = (words: string) => words.split(' | ').join('|');

/** What a rating is called before it, as in “Fact check: False”. */
const LABELS = oneOf(
  'fact check | factcheck | the verdict | verdict | our verdict | rating | our rating | rated | ruling | our ruling | conclusion | result | faktencheck | bewertung | unsere bewertung | urteil | fazit | veredicto | calificacion | verificacion | veredito | classificacao | verification | verdetto | oordeel',
);
export const LABEL = new RegExp(`^(?:${LABELS}) ?(?::|[-–—] ) ?`);

/** Words that make a sentence of a verdict and change nothing of it. */
const FRAMES = oneOf(
  '(?:this|that|it|the claim|this claim|claim|the statement|this statement) is | it’s | that’s | rated | c’est | das ist | die behauptung ist | die aussage ist | dit is | dat is | es',
);
export const FRAME = new RegExp(`^(?:${FRAMES}) `);

/** Words that say a verdict with more force. */
const INTENSIFIERS = oneOf(
  'completely | totally | entirely | absolutely | utterly | wholly | patently | demonstrably | 100 ?% | totalement | completement | entierement | absolument | vollig | komplett | vollkommen | totalmente | completamente | absolutamente | interamente | assolutamente | volledig | helemaal | totaal',
);
export const INTENSIFIER = new RegExp(`^(?:${INTENSIFIERS}) `);
