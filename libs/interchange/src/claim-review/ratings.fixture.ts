/** What a rating becomes: a plain verdict, a value of its own, or nothing. */
export type Becomes = 'true' | 'false' | 'own' | 'nothing';

/** Ratings as fact-checkers write them, parted by bars, by who writes them and what they must become. */
const RATINGS: Readonly<Record<string, Partial<Record<Becomes, string>>>> = {
  Snopes: {
    true: 'True',
    false: 'False | Fake',
    own: 'Mostly True | Mixture | Mostly False | Outdated | Miscaptioned | Correct Attribution | Misattributed | Scam | Legit | Labeled Satire | Originated as Satire | Lost Legend | Recall | Unfounded | Digital Altered | Correctly Attributed | Incorrect Attribution | False Attribution | True, but | Real Photo; False Claim',
    nothing: 'Unproven | Research In Progress | Legend | Undetermined | In Progress',
  },
  PolitiFact: {
    true: 'True | TRUE',
    false: 'False | Pants on Fire | Pants on Fire! | Pants-on-Fire',
    own: 'Mostly True | Half True | Half-True | Mostly False | Barely True | Full Flop | Half Flip | No Flip | Promise Kept | Promise Broken | Compromise | Stalled | In the Works',
  },
  'The Washington Post': {
    true: 'Geppetto Checkmark | The Geppetto Checkmark',
    false: 'Four Pinocchios | 4 Pinocchios',
    own: 'One Pinocchio | Two Pinocchios | Three Pinocchios | Bottomless Pinocchio | An Upside-Down Pinocchio | No Pinocchios | Zero Pinocchios | Not Four Pinocchios | Almost Four Pinocchios',
    nothing: 'Verdict Pending',
  },
  'AFP Fact Check': {
    true: 'True | Vrai | Verdadero | Richtig | Wahr',
    false: 'False | FALSE | Hoax | Faux | Falso | Falsch | FAUX. | Fake',
    own: 'Misleading | Altered photo | Altered video | Altered image | Missing context | Satire | Photo out of context | False context | Doctored photo | Trompeur | Détourné | Manque de contexte | Photo manipulée | Satirique | Engañoso | Falta contexto | Contexto falso | Sin registro | Irreführend | Fehlender Kontext | Manipuliert | Faux contexte | Partly false | Parcialmente falso | Partiellement faux | Mal attribué | Imposter | Falsche Zuschreibung',
    nothing: 'No evidence | Unproven | Non prouvé | Sin pruebas | Unbelegt',
  },
  'Full Fact': {
    true: 'Correct. | This is correct. | That’s right. | This is true | That is correct | It is accurate. | The claim is true.',
    false:
      'False. | Incorrect. | This is false. | This is incorrect. | This is not true. | This isn’t true. | That’s wrong. | This is wrong | Not correct. | Not accurate. | It is untrue. | The claim is false | This claim is incorrect. | It’s not true',
    own: 'This is false. The photo is from 2015. | This is true, but it lacks context. | Not quite. | That’s not quite right. | Correct, but only for England. | This is true of one study. | Correct as of 2019; not true now. | The second part is correct. | This is mostly correct. | There is no evidence for this being false. | This is not false. | False for most people. | Correct if you count only men. | This is right in part. | No, but prices fell. | No doubt true. | No longer true | Yes, with caveats | Once true | True until 2020',
  },
  'FactCheck.org': {
    true: 'True',
    false: 'False | Not True',
    own: 'Misleading | Distorts the Facts | Not the Whole Story | Spins the Facts | Cherry Picks | Exaggerates | Outdated | Lacks Context | False Headline | Wrong Numbers | Old, False Claim | Partly False | Baseless',
    nothing: 'No Evidence | Unsupported',
  },
  'USA Today and Lead Stories': {
    true: 'Our rating: True | Our rating: TRUE | Fact check: True',
    false:
      'Our rating: False | Fact check: False | Fact-check: False | Factcheck: FALSE | Verdict: False | Fact Check: Not True | Rating: False | Fact check - False | Our ruling: False | Fake News | False claim | This claim is FALSE',
    own: 'Our rating: Partly false | Our rating: Missing context | Our rating: Altered | Hoax Alert | Old News | Fact check: True, but misleading | Fact check: True? | Fact check true or false | Fact check: True. And false. | Rating: Half true | Satire | Just A Joke | Not A Hoax | No Hoax | Fact check: False headline | Fact-checked: rumor | No Fake News',
    nothing: 'Our rating: Unproven | Rating: No verdict | Verdict: none',
  },
  'Science Feedback': {
    true: 'Accurate | Correct',
    false: 'Inaccurate | Incorrect | Factually inaccurate | Factually incorrect',
    own: 'Mostly accurate | Mostly correct | Partially correct | Lacks context | Misleading | Flawed reasoning | Imprecise | Inadequate support | Overstates scientific confidence | Mostly inaccurate | Correct but misleading | Inaccurate but plausible | Accurate but misleading | Accurate with caveats | Correct information, wrong conclusion | Factually correct but misleading | Incorrect: misrepresents a source | Right for the wrong reason',
    nothing: 'Unsupported',
  },
  'Fact-checkers in Africa, India and the Philippines': {
    true: 'Correct | True | Confirmed | Verified',
    false: 'Incorrect | Fake | False | Hoax | Debunked | Fabricated | FAKE | INACCURATE',
    own: 'Mostly-correct | Misleading | Exaggerated | Understated | Checked | Scam | Misleading/Partly False | Altered Photo/Video | Missing Context | Half True | Altered Media | NO BASIS | NEEDS CONTEXT | Imposter content | Verified: false | Verified as false | Confirmed false | Confirmed hoax | False/Misleading | Fake/Satire | True/Old | Verified fake | Verified hoax | Confirmed as fake | No Correct Answer | फ़र्ज़ी | भ्रामक | গুজব',
    nothing: 'Unproven | Unverifiable | Unverified | Unconfirmed',
  },
  'Fact-checkers in Britain, Ireland and Australia': {
    true: 'TRUE | Accurate | Correct',
    false: 'FALSE | Inaccurate | Wrong | Debunked | False.',
    own: 'Mostly TRUE | Mixture | Mostly FALSE | Nonsense | FFS! | Accurate with considerations | Inaccurate with considerations | True with considerations | In the ballpark | Fair call | Doesn’t stack up | Not the full story | Checks out | More to the story | Somewhat True | Somewhat False | Ambiguous | Overreach | Spin | Wrong, but close | Right-wing claim | Right of reply | Right to reply | Right wing | Correct in parts | Wrongly attributed | Wrong context | Wrong photo',
    nothing: 'Unsubstantiated | Inconclusive | Too early to say',
  },
  Correctiv: {
    true: 'Richtig | Wahr | Korrekt | Stimmt | Das stimmt. | Zutreffend | Ja',
    false:
      'Falsch | Frei erfunden | Das ist falsch | Nicht wahr | Nicht richtig | Nicht korrekt | Stimmt nicht | Das stimmt nicht | Die Behauptung ist falsch | Völlig falsch | Unwahr | Falschmeldung | Nein | Bewertung: Falsch | Faktencheck: falsch | FALSCH! | Gefälscht | Fazit: Falsch | Komplett falsch',
    own: 'Größtenteils richtig | Teilweise falsch | Größtenteils falsch | Manipuliert | Falscher Kontext | Fehlender Kontext | Teils richtig | Halb wahr | Nicht ganz richtig | Nicht ganz falsch | Wahr, aber irreführend | Richtig, aber irreführend | Stimmt so nicht | Stimmt teilweise | Wahr und falsch | Nicht falsch | Richtig oder falsch? | Überwiegend richtig | Falsch dargestellt | Falsche Zusammenhänge | Ja und nein | Jein | Nein, aber | Nicht unwahr | Bewertung: Teilweise falsch | Richtiger Kern',
    nothing: 'Unbelegt | Nicht belegt | Unbewiesen | Keine Bewertung | Unklar | Nicht überprüfbar',
  },
  'Les Décodeurs': {
    true: 'VRAI | Vrai | C’est vrai | Oui | Exact | C’est exact | Entièrement vrai',
    false:
      'FAUX | Faux | C’est faux | Pas vrai | Ce n’est pas vrai | Totalement faux | Non | Fausse information | Infox | Inexact | Verdict : faux | FAUX !',
    own: 'PLUTÔT VRAI | PLUTÔT FAUX | C’EST PLUS COMPLIQUÉ | TROMPEUR | OUI, MAIS | IMPRÉCIS | EXAGÉRÉ | À NUANCER | Vrai, mais trompeur | Vrai, mais à nuancer | Vrai ou faux | Vrai et faux | Vrai en partie | Pas faux | Pas tout à fait vrai | Pas totalement faux | En partie faux | Ni vrai ni faux | Non, mais | Oui et non | Faux, à une exception près | Vrai/Faux | À moitié vrai | Plus vrai que faux | Vrai ou fake ? | Faux profil | Faux procès | Fausse photo | Presque vrai',
    nothing: 'NON VÉRIFIÉ | INVÉRIFIABLE | Non prouvé | Aucune preuve',
  },
  'Maldita, Newtral and Chequeado': {
    true: 'VERDADERO | Verdadero | Cierto | Es verdad | Es cierto | Verdadera | Correcto',
    false:
      'BULO | FALSO | Falso | ¡Falso! | Es falso | Mentira | No es verdad | No es cierto | Falsa | Noticia falsa | Totalmente falso | Veredicto: falso | Incorrecto | Es un bulo | Es mentira | No es verdadero | #Falso',
    own: 'Engañoso | Timo | Qué sabemos | VERDAD A MEDIAS | Verdadero, pero | Verdadero pero | Cierto, pero | Discutible | Apresurado | Exagerado | Insostenible | Cuestionable | Ridículo | Mayormente cierto | Cierto a medias | No es falso | Parcialmente falso | Verdadero y falso | ¿Verdadero o falso? | ¿Verdadero? | Falso en parte | Sí, pero | Sí y no | Casi verdadero | No es del todo cierto | No es un bulo | Falso contexto | Ni verdadero ni falso | Chequeo Múltiple | Falsa alarma | Medio verdadero | Cierto pero engañoso | Ya no es cierto',
    nothing: 'No hay pruebas | Sin pruebas | Inchequeable | Sin verificar | No verificable',
  },
  'Pagella Politica, Facta and Open': {
    true: 'Vero | È vero | Sì | Corretto | Vera',
    false:
      'Falso | Notizia falsa | Bufala | Non è vero | È falso | Non vero | Completamente falso | Falsa | Sbagliato | Errato',
    own: 'C’eri quasi | Nì | Pinocchio andante | Panzana pazzesca | Esagerato | Impreciso | Fuorviante | Quasi vero | Parzialmente vero | Notizia fuorviante | Foto fuori contesto | Satira | Notizia imprecisa | Vero ma fuorviante | Vero, ma | Non è falso | Vero a metà | Vero o falso? | Né vero né falso | Non del tutto vero | Non proprio vero | Sì, ma | Sì e no | In parte falso | Falso allarme | Falso contesto | Più vero che falso',
    nothing: 'Non verificabile | Senza prove | Non verificato',
  },
  'Aos Fatos, Lupa, Polígrafo and Comprova': {
    true: 'VERDADEIRO | Certo | Comprovado | É verdade | É #FATO | Sim | Correto',
    false:
      'FALSO | Errado | É falso | É #FAKE | Não é verdade | Mentira | #FAKE | Não | É mentira | Falsa | Não é verdadeiro | Notícia falsa',
    own: 'NÃO É BEM ASSIM | IMPRECISO | EXAGERADO | INSUSTENTÁVEL | CONTRADITÓRIO | DISTORCIDO | CONTRAPONTO | VERDADEIRO, MAS | Verdadeiro, mas... | SUBESTIMADO | DE OLHO | Descontextualizado | Manipulado | Pimenta na Língua | Enganador | Enganoso | Esticado | Praticamente certo | Boato | Trecho verdadeiro | Fora de contexto | Não é falso | Falso em parte | Verdadeiro e falso | Meia verdade | Sim, mas | Sim e não | Verdadeiro ou falso? | Não é totalmente verdade | Não é #FAKE | Parcialmente falso | Já não é verdade',
    nothing: 'Ainda é cedo para dizer | Inconclusivo | Não comprovado | Sem provas | Não verificado',
  },
  'Nieuwscheckers, Knack and dpa': {
    true: 'Waar | Juist | Klopt | Dit klopt | Ja | Dit is waar',
    false:
      'Onwaar | Niet waar | Nep | Vals | Onjuist | Klopt niet | Nepnieuws | Fout | Dit is niet waar | Volledig onwaar | Nee | Niet juist | Niet correct | Dit klopt niet | Dit is onwaar',
    own: 'Grotendeels waar | Half waar | Grotendeels onwaar | Misleidend | Deels waar | Waar, maar misleidend | Niet helemaal waar | Klopt niet helemaal | Klopt gedeeltelijk | Waar en onwaar | Niet onwaar | Waar of niet waar? | Ja en nee | Ja, maar | Niet vals | Valse context | Vals alarm | Niet geheel onjuist',
    nothing: 'Niet te checken | Onbewezen | Geen bewijs | Niet te controleren',
  },
  'Fact-checkers in Romania, Turkey and Indonesia': {
    true: 'Adevărat | Doğru | Benar | BENAR | Evet',
    false:
      'Fals | Neadevărat | Yanlış | YANLIŞ | Doğru değil | Salah | SALAH | Hoaks | Tidak benar | Keliru | Hayır | [SALAH]',
    own: 'Parțial fals | Parțial adevărat | Trunchiat | Karma | Şüpheli | Kısmen doğru | Çarpıtma | Yanlış değil | Doğru ama eksik | Menyesatkan | Sebagian benar | Tidak salah | Benar atau salah? | Benar tapi menyesatkan | Salah konteks | Adevărat, dar | Fals pozitiv | Bukan hoaks | Setengah benar | Belum benar | Doğru mu?',
    nothing: 'Imposibil de verificat | Belirsiz | Tidak terbukti | Belum terbukti',
  },
  'Scales of several verdicts, questions and hedges': {
    true: 'Completely true | 100% true | Totally correct | Absolutely true | Yes | yes. | Entirely accurate | Y',
    false:
      'Completely false | Totally false | 100% false | 100 % false | Absolutely not true | Entirely wrong | Utterly false | No | No. | Not true at all | n | Rated false | Patently false | Demonstrably false',
    own: 'True/False | True and false | Both true and false | True or false? | True or False | Yes and no | Yes/No | True? | True?! | False? | Accurate? No | True story? No | True in part | Partly true | Not entirely true | Not false | Not wrong | Not a hoax | Not incorrect | Never true | Hardly true | Nearly true | Neither true nor false | True, but misleading | True but lacks context | Accurate but misleading | Correct – but old | True... | True… | “True” | "False" | (True) | ❌ True | ✅ False | ❌ | True ❌ | t̶r̶u̶e̶',
    nothing:
      'No rating | No verdict | No verdict yet | No conclusion | No consensus yet | Unrated | Not rated | N/A | Unknown | Pending | Hard to categorize',
  },
  'Words around a verdict': {
    own: 'Unlikely true | Probably false | Likely true | False, but | False alarm | False equivalence | False flag | Fake but accurate | Untrue? Not quite | No, it is true | No, this is true | Yes, this is false | No false claim | No wrong done | Nothing false | Technically true | True-ish | Semi-true | Non-true | True lie | True crime | Truthful | Falsehood-free | Not verified as true | Yet to be confirmed | Confirmed? | Verified account | Confirmed case | Correct me | Hoax? | Hoax or not | Hoaxes | The opposite is true | Far from true | Anything but true | True for now | Formerly correct | Incorrectly rated false | Correction | Fabricated quote | Wrong question | No Pants on Fire | Pants not on fire | Almost certain (96 %) | Likely (72 %) | Not - true',
  },
};

/** Each rating of the table, as its fact-checker writes it. */
export const RATING_TABLE = Object.entries(RATINGS).flatMap(([by, lists]) =>
  Object.entries(lists).flatMap(([becomes, list]) =>
    list.split(' | ').map((words) => ({ by, words, becomes: becomes as Becomes })),
  ),
);
