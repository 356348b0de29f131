/**
 * Samples of the server's automatic texts. Contacts read them, so they are Portuguese in every
 * language.
 */
export const EXAMPLES = {
  accepted:
    'Mensagem Automática:\nBoa tarde Mariana, aqui é Camila. Vou continuar o seu atendimento.',
  transferred:
    'Mensagem Automática:\nSeu atendimento foi transferido para a fila Entregas. Em instantes continuamos por aqui.',
};
