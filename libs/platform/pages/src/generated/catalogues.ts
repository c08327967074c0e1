// Written by `pnpm gen` from libs/platform/pages/messages; change the messages there.

import en from '../../messages/en.json' with { type: 'json' }
import ar from '../../messages/ar.json' with { type: 'json' }
import de from '../../messages/de.json' with { type: 'json' }
import fr from '../../messages/fr.json' with { type: 'json' }
import pt from '../../messages/pt.json' with { type: 'json' }

/** Every language that there is. The compiler refuses one without a message that English has. */
export const catalogues = { en, ar, de, fr, pt } satisfies Readonly<Record<string, typeof en>>

/** The values and the elements of each message. */
export type Messages = {
  'frame': {
    'skip': {}
    'error': { text: 'title' }
    'noSuchPage': {}
    'wrongMethod': {}
    'footer': { element: 'a' }
    'about': {}
    'support': {}
    'privacy': {}
    'terms': {}
    'language': {}
    'showAll': { number: 'count' }
    'whatYouCanDo': {}
    'ifYouAsk': {}
    'code': {}
    'request': {}
    'filters': {}
    'filter': {}
    'clearAll': {}
    'local': {}
    'test': {}
  }
  'front': {
    'lead': {}
    'forOwners': {}
    'account': {}
    'accountMore': {}
    'forDevelopers': {}
    'documentation': {}
    'documentationMore': {}
    'problems': {}
    'problemsMore': {}
    'failures': {}
    'failuresMore': {}
    'openapi': {}
    'openapiMore': {}
    'forOperators': {}
    'console': {}
    'consoleMore': {}
    'firstLines': {}
    'inTheClone': { element: 'code' }
    'answersOpenly': {}
    'looksAround': {}
    'pays': {}
    'waits': {}
    'listsRecipes': {}
    'signsIn': {}
    'listsAccounts': {}
    'command': { text: 'effect' }
    'yourAgent': {}
    'clientId': { text: 'id' }
    'program': { element: 'code' }
  }
  'codes': {
    'problemCodes': {}
    'failureCodes': {}
    'indexLead': { element: 'a' }
    'code': {}
    'meaning': {}
    'status': {}
    'repeatable': {}
    'mayHaveReached': {}
    'yes': {}
    'no': {}
    'yesNeverAgain': {}
    'uncertain': {}
    'whatToDo': {}
    'lookForOperation': {}
    'newNonce': {}
    'waitAndRepeat': {}
    'lookFirst': {}
    'authenticate': {}
    'allowFirst': {}
    'lookInList': {}
    'readAgain': {}
    'correctIt': {}
    'whichRoutes': {}
    'everyRoute': {}
    'someRoutes': { text: 'some' | 'all' }
    'looksLike': {}
    'example': {}
    'allProblems': {}
    'allFailures': {}
    'reference': {}
    'failureTitle': {}
    'whereItStands': {}
    'inOperation': { element: 'code' }
    'stateDecides': { element: 'code' }
    'showsIt': { text: 'route' }
  }
  'gatewayErrors': {
    'away.title': {}
    'away.explanation': {}
    'away.whatToDo': {}
    'malformed.title': {}
    'malformed.explanation': {}
    'malformed.whatToDo': {}
    'rateLimited.title': {}
    'rateLimited.explanation': {}
    'rateLimited.whatToDo': {}
    'notFound.title': {}
    'notFound.explanation': {}
    'notFound.whatToDo': {}
    'wrongMethod.title': {}
    'wrongMethod.explanation': {}
    'wrongMethod.whatToDo': {}
    'tooLarge.title': {}
    'tooLarge.explanation': {}
    'tooLarge.whatToDo': {}
    'tooSlow.title': {}
    'tooSlow.explanation': {}
    'tooSlow.whatToDo': {}
  }
  'header': {
    'signOut': {}
    'ways': {}
    'account': {}
    'activity': {}
    'stop': {}
  }
  'waiting': {
    'besides': { text: 'count' }
    'waits': { text: 'count' }
    'confirmation': {}
    'confirmationMany': { text: 'count' }
    'confirmationBefore': { text: 'moment' }
    'confirmationAct': {}
    'approval': {}
    'approvalMany': { text: 'count' }
    'approvalBefore': { text: 'moment' }
    'approvalAct': {}
    'uncertain': {}
    'uncertainMany': { text: 'count' }
    'uncertainBefore': { text: 'moment' }
    'uncertainAct': {}
    'ending': {}
    'endingMany': { text: 'count' }
    'endingBefore': { text: 'moment' }
    'endingAct': {}
    'shown': { text: 'shown' | 'count' }
    'to': { text: 'payee' }
  }
  'signIn': {
    'title': {}
    'again': {}
    'lead': {}
    'suspended': {}
    'toConnect': {}
    'youSignInAt': {}
    'afterwards': {}
    'youDecide': {}
    'atTheEnd': {}
    'about': {}
    'signIn': {}
    'cancel': {}
    'signedIn': {}
    'continue': {}
    'comeBack': { text: 'host' }
    'yourProvider': {}
    'accountTitle': {}
    'accountLead': {}
    'toConfirm': {}
    'againToConfirm': {}
    'confirmLead': {}
    'againToConnect': {}
    'connectLead': {}
  }
  'client': {
    'otherDevice': {}
    'here': {}
    'backTo': { text: 'host' }
    'thisDevice': {}
    'web': {}
    'spa': {}
    'native': {}
    'device': {}
    'service': {}
    'whoAsks': {}
    'publisher': {}
    'verified': { text: 'installation' }
    'notVerified': { text: 'installation' }
    'theApplication': {}
  }
  'consent': {
    'title': {}
    'titleMore': {}
    'whoseMoney': {}
    'yours': {}
    'whenYouDecide': {}
    'can': {}
    'cannot': {}
    'isNew': {}
    'howLong': {}
    'until': { text: 'day' }
    'connectAndAllow': {}
    'allow': {}
    'decline': {}
    'isEnding': {}
    'connection': {}
    'youConnect': { text: 'provider' }
    'mandates': {}
    'mandatesUnknown': {}
    'mandatesAbout': {}
    'mandatesLegend': {}
    'to': {}
  }
  'limitFields': {
    'perPayment': {}
    'perDay': {}
    'currency': {}
    'wrong': { number: 'count' }
    'atMost': { text: 'amount' }
    'empty': {}
    'proposed': {}
    'title': {}
    'about': {}
    'legend': {}
    'currencyHint': {}
    'above': { text: 'amount'; element: 'b' }
    'amountHint': {}
    'tooMuch': { text: 'amount' }
    'currencyNeeded': {}
    'tooFine': { text: 'currency'; number: 'digits' }
    'dayTooLow': { text: 'amount' }
  }
  'worksAgain': {
    'nothing': {}
    'tick': {}
    'legend': {}
    'services': {}
    'payments': {}
    'payment': { text: 'each' | 'total' | 'day' }
  }
  'connect': {
    'title': { text: 'provider' }
    'lead': { text: 'provider' }
    'begins': {}
    'connect': {}
    'stay': {}
  }
  'can': {
    'openid': {}
    'identity:read': {}
    'accounts:read': {}
    'activity:read': {}
    'spending:read': {}
    'beneficiaries:read': {}
    'cards:read': {}
    'purchases:read': {}
    'kyc:read': {}
    'operations:read': {}
    'authorization:read': {}
    'services:read': {}
    'transfers:quote': {}
    'beneficiaries:write': {}
    'cards:manage': {}
    'spending:withdraw': {}
  }
  'canShort': {
    'openid': {}
    'identity:read': {}
    'accounts:read': {}
    'activity:read': {}
    'spending:read': {}
    'beneficiaries:read': {}
    'cards:read': {}
    'purchases:read': {}
    'kyc:read': {}
    'operations:read': {}
    'authorization:read': {}
    'services:read': {}
    'transfers:quote': {}
    'beneficiaries:write': {}
    'cards:manage': {}
    'spending:withdraw': {}
  }
  'cannot': {
    'spending:withdraw': {}
    'beneficiaries:write': {}
    'cards:manage': {}
    'secrets': {}
    'others': {}
  }
  'decided': {
    'allowed': {}
    'declined': {}
    'allowedMore': {}
    'endedMore': {}
    'declinedMore': {}
    'undo': { element: 'a' }
    'startAgain': { element: 'a' }
    'goOn': {}
    'goOnHere': {}
  }
  'device': {
    'missing': {}
    'unknown': {}
    'expired': {}
    'used': {}
    'again': {}
    'failed': {}
    'code': {}
    'hint': {}
    'title': {}
    'lead': {}
    'continue': {}
    'isThis': {}
    'warning': {}
    'asksFor': {}
    'next': {}
    'same': {}
    'stop': {}
    'done': {}
    'doneNote': {}
    'doneClose': {}
    'doneAccount': { element: 'a' }
    'nothing': {}
    'nothingNote': {}
    'nothingClose': {}
    'another': {}
  }
  'approvalReturn': {
    'title': {}
    'lead': {}
    'goBack': {}
    'notYet': {}
  }
  'account': {
    'title': {}
    'signedInAs': { text: 'name'; element: 'b' }
    'signedIn': {}
    'whoCanAct': {}
    'nobody': {}
    'repeated': {}
    'connection': {}
    'underWay': {}
    'nothingUnderWay': {}
    'moreUnderWay': { text: 'count' }
    'what': {}
    'askedBy': {}
    'since': {}
    'howFar': {}
    'notConnected': {}
    'connect': {}
    'provider': {}
    'status': {}
    'beingEnded': {}
    'connected': {}
    'endingMeans': {}
    'disconnect': {}
    'activityUnknown': {}
    'mandatesUnknown': {}
    'connectionUnknown': {}
  }
  'disconnect': {
    'title': { text: 'provider' }
    'lead': { text: 'provider' }
    'stops': {}
    'noneUses': {}
    'noLonger': { number: 'count' }
    'asked': {}
    'askedMore': { text: 'provider' }
    'goesOn': {}
    'goesOnMore': { text: 'provider' }
    'later': {}
    'laterMore': {}
    'disconnect': {}
    'keep': {}
  }
  'activity': {
    'title': {}
    'lead': {}
    'onlyOne': { element: 'a' }
    'unknown': {}
    'older': {}
    'months': {}
    'application': {}
    'allApplications': {}
    'what': {}
    'everything': {}
    'payments': {}
    'month': {}
    'anyMonth': {}
    'nothing': {}
    'amount': {}
    'to': {}
    'askedBy': {}
    'when': {}
    'howFar': {}
    'memo': {}
    'whoseMoney': {}
    'yours': {}
    'ourReference': {}
    'providerReference': {}
    'allOfMandate': {}
    'course': {}
    'receipt': {}
    'printable': {}
    'all': {}
    'you': {}
  }
  'kinds': {
    'beneficiary_create': {}
    'card_close': {}
    'card_create': {}
    'card_freeze': {}
    'card_unfreeze': {}
    'mandate_create': {}
    'mandate_revoke': {}
    'mandate_suspend': {}
    'mandate_transfer': {}
    'transfer': {}
    'transfer_grant_revoke': {}
  }
  'operationStates': {
    'requires_action': {}
    'accepted': {}
    'submitting': {}
    'submitted': {}
    'indeterminate': {}
    'succeeded': {}
    'failed': {}
    'cancelled': {}
  }
  'operationStatesMore': {
    'requires_action': {}
    'accepted': {}
    'submitting': {}
    'submitted': {}
    'indeterminate': {}
  }
  'operationFailures': {
    'notSent': {}
    'refused': {}
    'unclear': {}
    'identity': {}
    'settlement': {}
    'withdrawn': {}
    'late': {}
    'declined': {}
    'notApproved': {}
  }
  'grant': {
    'everything': { text: 'client'; element: 'hidden' }
    'end': { text: 'client'; element: 'hidden' }
    'pause': { text: 'client'; element: 'hidden' }
    'paused': {}
    'itMay': {}
    'since': {}
    'until': {}
    'youEndIt': {}
    'lastSeen': {}
    'never': {}
    'suspended': {}
    'stopped': {}
    'stoppedWhy': {}
    'notConnected': {}
    'notConnectedWhy': {}
    'didLast': {}
    'changedNothing': {}
    'ended': {}
    'active': {}
    'changeLimits': { text: 'client'; element: 'hidden' }
    'endedTitle': {}
    'application': {}
    'why': {}
    'andMore': { text: 'powers'; number: 'count' }
    'cannotMove': {}
    'byRemoval': { text: 'moment' }
    'byOperator': { text: 'moment' }
    'operatorsReason': { text: 'reason' }
    'suspendedMeans': {}
    'backAfterRemoval': {}
    'byYou': { text: 'moment' }
    'backByOperator': {}
    'backOnDevice': {}
    'backAfterSuspension': {}
    'moveUnlimited': {}
    'moveUpTo': { text: 'bounds' }
    'upToEach': { text: 'amount' }
    'upToDay': { text: 'amount' }
    'confirmedAbove': { text: 'amount' }
    'revoked_by_owner': {}
    'not_connected_again': {}
    'revoked_by_client': {}
    'code_replayed': {}
    'replaced': {}
    'registration_changed': {}
    'timeOver': {}
    'wasEnded': {}
  }
  'spending': {
    'note': {}
    'nothing': {}
    'today': {}
    'month': {}
    'underWay': { text: 'amount' }
    'all': {}
    'used': { text: 'part' | 'limit'; element: 'b' }
  }
  'application': {
    'title': {}
    'paid': {}
    'sumsUnknown': {}
    'mandates': {}
    'mandatesUnknown': {}
    'didLast': {}
    'allActivity': { text: 'client'; element: 'hidden' }
    'yourName': {}
    'name': {}
    'nameHint': {}
    'saveName': {}
    'pauseAbout': {}
    'endTitle': {}
  }
  'limits': {
    'title': {}
    'mayMove': {}
    'onlyLower': {}
    'hold': {}
    'save': {}
    'keep': {}
  }
  'end': {
    'title': {}
    'lead': {}
    'keep': {}
  }
  'mandateStates': {
    'pending': {}
    'active': {}
    'suspending': {}
    'suspended': {}
    'revoking': {}
    'revocation_failed': {}
    'exhausted': {}
    'revoked': {}
    'expired': {}
    'failed': {}
    'stopped': {}
  }
  'mandateStatesMore': {
    'pending': {}
    'suspending': {}
    'suspended': {}
    'revoking': {}
    'revocation_failed': {}
    'exhausted': {}
    'stopped': {}
  }
  'mandates': {
    'windows': {}
    'none': {}
    'about': {}
    'thereAreNone': {}
    'to': { text: 'payee' }
    'askedBy': {}
    'named': {}
    'canPayNow': {}
    'nobody': {}
    'pauseOrEnd': { text: 'payee'; element: 'hidden' }
    'itsPayments': { text: 'payee'; element: 'hidden' }
    'eachTime': {}
    'atMost': { text: 'amount' }
    'today': {}
    'thisWeek': {}
    'thisMonth': {}
    'inAll': {}
    'payments': {}
    'left': { text: 'part' | 'whole'; element: 'b' }
    'spentAndUnderWay': { text: 'spent' | 'pending' }
    'spentOrUnderWay': { text: 'amount' }
    'madeAndUnderWay': { text: 'made' | 'pending' }
    'madeOrUnderWay': { text: 'count' }
    'underWayUnknown': {}
    'until': {}
    'over': { text: 'count' }
    'lastOver': { text: 'count' }
    'toColumn': {}
    'setUp': {}
    'became': {}
    'title': {}
    'lowerTitle': {}
    'notConnected': {}
    'pauseTitle': {}
    'pauseAbout': {}
    'pause': {}
    'endTitle': {}
    'endAbout': {}
    'end': {}
    'per_payment_max': {}
    'daily_max': {}
    'weekly_max': {}
    'monthly_max': {}
    'total_cap': {}
    'lowerLead': { text: 'payee' }
    'onlyLowered': {}
    'lowerLegend': {}
    'lower': {}
    'keep': {}
    'zero': {}
    'raised': { text: 'amount' }
    'below_used': { text: 'amount' }
    'below_tighter': { text: 'amount' }
  }
  'confirm': {
    'asks': {}
    'asked': {}
    'before': {}
    'only': {}
    'confirm': {}
    'decline': {}
    'original': {}
    'approvalFollows': {}
    'goOn': {}
    'close': { element: 'a' }
    'confirmed': {}
    'confirmedMore': {}
    'declined': {}
    'declinedMore': {}
    'consumed': {}
    'consumedMore': {}
    'takeBack': {}
    'outcome': {}
    'expired': {}
    'expiredMore': {}
  }
  'confirmActions': {
    'mandate_create': {}
    'mandate_revoke': {}
    'service_disconnect': {}
    'transfer': {}
  }
  'confirmQuestions': {
    'mandate_create': {}
    'mandate_revoke': {}
    'service_disconnect': {}
    'transfer': {}
  }
  'confirmOpenings': {
    'mandate_create': {}
    'mandate_revoke': {}
    'service_disconnect': {}
    'transfer': {}
  }
  'factLabels': {
    'A day': {}
    'A month': {}
    'A week': {}
    'Account of the payee': {}
    'Added': {}
    'Amount': {}
    'At most lost in all': {}
    'Each payment': {}
    'Each payment follows one of the rules': {}
    'In all': {}
    'Left of it': {}
    'Loses the connection': {}
    'Memo': {}
    'Name checked': {}
    'Named by': {}
    'Paid by': {}
    'Payee': {}
    'Payments left': {}
    'Purpose': {}
    'Rules': {}
    'Until': {}
  }
  'factData': {
    'amount': { text: 'amount' }
    'at_most': { text: 'amount' }
    'at_most_in': { text: 'amount' | 'payments'; number: 'payments' }
    'left_of': { text: 'amount' | 'whole' }
    'count': { text: 'count' }
    'none': {}
    'unchecked': {}
    'account': { text: 'name' | 'last' }
    'list': { text: 'before' | 'next' }
  }
  'flash': {
    'revoked': {}
    'ending': {}
    'paused': {}
    'pausing': {}
    'renamed': {}
    'unnamed': {}
    'limits_changed': {}
    'already_ended': {}
    'disconnected': {}
    'disconnecting': {}
    'disconnect_unknown': {}
    'mandate_pausing': {}
    'mandate_ending': {}
    'mandate_lowered': {}
    'mandate_not_lowered': {}
    'mandate_unchanged': {}
    'mandate_unknown': {}
    'not_connected_to_act': {}
    'not_connected': {}
    'connected': {}
    'connected_already': {}
    'still_ending': {}
    'signed_out': {}
  }
  'errors': {
    'staleInteraction.title': {}
    'staleInteraction.explanation': {}
    'staleInteraction.whatToDo': {}
    'deviceCodeOver.title': {}
    'deviceCodeOver.explanation': {}
    'deviceCodeOver.whatToDo': {}
    'forgedForm.title': {}
    'forgedForm.explanation': {}
    'forgedForm.whatToDo': {}
    'badForm.title': {}
    'badForm.explanation': {}
    'badForm.whatToDo': {}
    'notFound.title': {}
    'notFound.explanation': {}
    'notFound.whatToDo': {}
    'wrongMethod.title': {}
    'wrongMethod.explanation': {}
    'wrongMethod.whatToDo': {}
    'unknownSignIn.title': {}
    'unknownSignIn.explanation': {}
    'unknownSignIn.whatToDo': {}
    'signInExpired.title': {}
    'signInExpired.explanation': {}
    'signInExpired.whatToDo': {}
    'signInPending.title': {}
    'signInPending.explanation': {}
    'signInPending.whatToDo': {}
    'signInRefused.title': {}
    'signInRefused.explanation': {}
    'signInRefused.whatToDo': {}
    'signInDeclined.title': {}
    'signInDeclined.explanation': {}
    'signInDeclined.whatToDo': {}
    'signInNotAvailable.title': {}
    'signInNotAvailable.explanation': {}
    'signInNotAvailable.whatToDo': {}
    'providerUnreachable.title': {}
    'providerUnreachable.explanation': {}
    'providerUnreachable.whatToDo': {}
    'clientGone.title': {}
    'clientGone.explanation': {}
    'clientGone.whatToDo': {}
    'signedOut.title': {}
    'signedOut.explanation': {}
    'signedOut.whatToDo': {}
    'signInAgain.title': {}
    'signInAgain.explanation': {}
    'signInAgain.whatToDo': {}
    'signInToRaise.title': {}
    'signInToRaise.explanation': {}
    'signInToRaise.whatToDo': {}
    'accessEnded.title': {}
    'accessEnded.explanation': {}
    'accessEnded.whatToDo': {}
    'intentNotFound.title': {}
    'intentNotFound.explanation': {}
    'intentNotFound.whatToDo': {}
    'mandatesOutOfReach.title': {}
    'mandatesOutOfReach.explanation': {}
    'mandatesOutOfReach.whatToDo': {}
    'unavailable.title': {}
    'unavailable.explanation': {}
    'unavailable.whatToDo': {}
    'failed.title': {}
    'failed.explanation': {}
    'failed.whatToDo': {}
    'invalid_client.title': {}
    'invalid_client.explanation': {}
    'invalid_client.whatToDo': {}
    'invalid_redirect_uri.title': {}
    'invalid_redirect_uri.explanation': {}
    'invalid_redirect_uri.whatToDo': {}
    'invalid_request_uri.title': {}
    'invalid_request_uri.explanation': {}
    'invalid_request_uri.whatToDo': {}
    'temporarily_unavailable.title': {}
    'temporarily_unavailable.explanation': {}
    'temporarily_unavailable.whatToDo': {}
    'server_error.title': {}
    'server_error.explanation': {}
    'server_error.whatToDo': {}
    'other.title': {}
    'other.explanation': {}
    'other.whatToDo': {}
  }
}
